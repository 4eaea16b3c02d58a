export { legalRoutes } from './routes.tsx';
