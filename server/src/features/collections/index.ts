export { readPublicRequest } from './service/public.ts';
