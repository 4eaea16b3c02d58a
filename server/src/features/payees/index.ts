export { isReserved, readEvmAddress } from './domain.ts';
export { registerPayeesRoutes } from './routes.ts';
export { createPayeesService, lookAlikesOf, type PayeesPorts } from './service.ts';
export { setUsability } from './store.ts';
