import { cancelTransfer, transferOut } from '@causeway/contract/transfers.ts';
import { type Http, route } from '../../platform/http.ts';
import { cancel } from './service/cancel.ts';
import { type SubmitDependencies, submit } from './service/submit.ts';

export function registerTransferRoutes(http: Http, deps: SubmitDependencies): void {
  route(http, transferOut, ({ body }, context) => submit(deps, context, body));
  route(http, cancelTransfer, ({ body }, context) => cancel(deps.database, context, body.id));
}
