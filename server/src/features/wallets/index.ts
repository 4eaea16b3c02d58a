export { registerWalletsRoutes } from './routes.ts';
