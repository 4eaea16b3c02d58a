export { accountRoutes, signInRoutes } from './routes.tsx';
