export { registerTradeRoutes } from './routes.ts';
export { takeIn } from './service/apply.ts';
export { describeTradeSubject } from './service/content.ts';
export { startTradeDelivery } from './service/deliver.ts';
export { registerTradeHooks } from './service/receive.ts';
export { tradeSubject } from './service/subject.ts';
