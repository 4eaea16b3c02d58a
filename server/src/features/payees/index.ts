export { type PayeeAdded, payeeEvents } from './events.ts';
export { registerPayeesRoutes } from './routes.ts';
export { type LookAlikePorts, lookAlikesOf, type PayeesPorts } from './service.ts';
export { setUsability } from './store.ts';
