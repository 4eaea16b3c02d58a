export { registerPayPages } from './public/serve.ts';
export { readPublicRequest } from './service/public.ts';
