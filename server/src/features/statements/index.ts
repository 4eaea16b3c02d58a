export { registerStatementRoutes } from './routes.ts';
