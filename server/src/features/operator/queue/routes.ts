import * as calls from '@causeway/contract/operator-queue.ts';
import { type Http, route } from '../../../platform/http/route.ts';
import { comment, get, handOver, list, reopen, resolve, summarise, take } from './service.ts';

/** The calls of the operator's queue. */
export function registerQueueRoutes(http: Http): void {
  route.operatorRead(http, calls.summariseQueue, summarise);
  route.operatorRead(http, calls.listQueue, list);
  route.operatorRead(http, calls.getQueueItem, get);
  route.operatorWrite(http, calls.takeQueueItem, take);
  route.operatorWrite(http, calls.handOverQueueItem, handOver);
  route.operatorWrite(http, calls.commentQueueItem, comment);
  route.operatorWrite(http, calls.resolveQueueItem, resolve);
  route.operatorWrite(http, calls.reopenQueueItem, reopen);
}
