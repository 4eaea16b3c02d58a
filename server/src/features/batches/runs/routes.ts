import * as calls from '@causeway/contract/batch-runs.ts';
import { type Http, route, withPorts } from '../../../platform/http/route.ts';
import type { SubmitPorts } from '../../outgoing/index.ts';
import { cancel } from './cancel.ts';
import { check } from './check.ts';
import { createRowKinds, type RunPorts } from './ports.ts';
import { getRun, listRows, listRuns } from './reading.ts';
import { createRunSubject, rowKindsByType } from './subject.ts';
import { sendingAgain, submitting } from './submit.ts';

/** Runs of batches: checked, submitted, followed, sent again. */
export function registerBatchRunRoutes(
  given: Http,
  ports: SubmitPorts & Pick<RunPorts, 'families' | 'rowsAtOnce' | 'queue'>,
): void {
  const { families } = ports;
  const rows = createRowKinds(families);
  const http = withPorts(given, {
    ...ports,
    ...{ rows, kinds: rowKindsByType(families), subject: createRunSubject(families) },
  });
  route.read(http, calls.checkBatch, check);
  route.money(http, calls.submitBatch, submitting);
  route.money(http, calls.sendBatchAgain, sendingAgain);
  route.read(http, calls.listBatchRuns, listRuns);
  route.read(http, calls.getBatchRun, getRun);
  route.read(http, calls.listBatchRunRows, listRows);
  route.money(http, calls.cancelBatch, cancel);
}
