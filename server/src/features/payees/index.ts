export { registerPayeesRoutes } from './routes.ts';
export { createPayeesService, type PayeeChain, type PayeesPorts } from './service.ts';
