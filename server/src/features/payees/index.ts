export {
  approvePayee,
  type PayeeApproval,
  type PayeeApprovalPort,
  type PayeeToApprove,
  rejectPayee,
  takeOut,
} from './approval.ts';
export { type PayeeAdded, payeeEvents } from './events.ts';
export { registerPayeesRoutes } from './routes.ts';
export { type LookAlikePorts, lookAlikesOf, type PayeesPorts } from './service.ts';
export { findPayee, setUsability } from './store.ts';
