import { exportAudit, getAuditEvent, getAuditKey, listAudit, listAuditFilters } from '@causeway/contract/audit.ts';
import type { Query } from '@causeway/contract/call.ts';
import * as operator from '@causeway/contract/operator-audit.ts';
import type { FileAnswer } from '../http/call-answer.ts';
import { type Http, route, withPorts } from '../http/route.ts';
import { exportCsv } from './csv.ts';
import { exportChain } from './export.ts';
import { type AuditPorts, filters, get, list, listKeys, type OpenAuditContext } from './list.ts';

const usualSignatureWithinMs = 10_000;

type Given = Pick<AuditPorts, 'names'> & Partial<AuditPorts>;

function composed(given: Http, { names, signatureWithinMs = usualSignatureWithinMs }: Given): Http<AuditPorts> {
  return withPorts(given, { names, signatureWithinMs });
}

function exporting(context: OpenAuditContext, query: Query<typeof exportAudit>): Promise<FileAnswer> {
  return query.format === 'jsonl' ? exportChain(context, query) : exportCsv(context, query);
}

/** The calls of a company's audit log. */
export function registerAuditRoutes(given: Http, ports: Given): void {
  const http = composed(given, ports);
  route.read(http, listAudit, list);
  route.read(http, getAuditEvent, get);
  route.read(http, listAuditFilters, filters);
  route.open(http, exportAudit, 'batches', exporting);
  route.read(http, getAuditKey, listKeys);
}

/** The same of the operator's own log, which is that of the nil company. */
export function registerOperatorAuditRoutes(given: Http, ports: Given): void {
  const http = composed(given, ports);
  route.operatorRead(http, operator.listOperatorAudit, list);
  route.operatorRead(http, operator.getOperatorAuditEvent, get);
  route.operatorRead(http, operator.listOperatorAuditFilters, filters);
  route.open(http, operator.exportOperatorAudit, 'batches', exporting);
  route.operatorRead(http, operator.getOperatorAuditKey, listKeys);
}
