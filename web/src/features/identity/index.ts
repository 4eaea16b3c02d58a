export { consoleRoutes, publicRoutes } from './routes.tsx';
