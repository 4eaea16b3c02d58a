import * as calls from '@causeway/contract/batches.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import { template, wrongRows } from './drafts/csv.ts';
import { accept, addRows, discard, mend, removeRows, rename } from './drafts/edit.ts';
import { saveNew } from './drafts/new-payees.ts';
import type { DraftsPorts } from './drafts/ports.ts';
import { map, readPart, recheck } from './drafts/read.ts';
import { add, upload } from './drafts/upload.ts';
import { get, list, listRows } from './drafts/view.ts';

/** What is read of batches, and needs nothing but the database: served in an operator's look, too. */
export function registerBatchReading(http: Http): void {
  route.read(http, calls.listBatches, list);
  route.read(http, calls.getBatch, get);
  route.read(http, calls.listBatchRows, listRows);
}

/** Drafts of batches: uploaded, read, mended. What is submitted of them is of `runs`. */
export function registerBatchRoutes(given: Http, ports: DraftsPorts): void {
  const http = withPorts(given, ports);
  route.read(http, calls.getBatchTemplate, template);
  route.open(http, calls.uploadBatch, 'slow work', upload);
  route.write(http, calls.addBatch, add);
  registerBatchReading(given);
  route.open(http, calls.mapBatch, 'slow work', map);
  route.write(http, calls.readBatch, readPart);
  route.write(http, calls.recheckBatch, recheck);
  route.write(http, calls.mendBatchRow, mend);
  route.write(http, calls.addBatchRows, addRows);
  route.write(http, calls.removeBatchRows, removeRows);
  route.write(http, calls.acceptBatchWarnings, accept);
  route.write(http, calls.renameBatch, rename);
  route.write(http, calls.discardBatch, discard);
  route.read(http, calls.downloadWrongRows, wrongRows);
  route.open(http, calls.saveNewPayees, 'slow work', saveNew);
}
