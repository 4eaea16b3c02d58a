export { registerPayeesRoutes } from './routes.ts';
export { createPayeesService, type PayeesPorts } from './service.ts';
