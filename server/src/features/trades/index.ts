export { type Delivering, deliverTradeMessages, startTradeDelivery } from './delivering.ts';
export { registerTradeHooks } from './hooks.ts';
export { registerTradeRoutes } from './routes.ts';
export { takeIn } from './service/apply.ts';
export { describeTradeSubject } from './service/content.ts';
export { tradeSubject } from './service/subject.ts';
