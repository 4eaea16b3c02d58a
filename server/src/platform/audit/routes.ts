import { exportAudit, getAuditEvent, getAuditKey, listAudit, listAuditFilters } from '@causeway/contract/audit.ts';
import { type Http, route, withPorts } from '../http/route.ts';
import { exportCsv } from './csv.ts';
import { exportChain } from './export.ts';
import { type AuditPorts, filters, get, list, listKeys } from './list.ts';

const usualSignatureWithinMs = 10_000;

/** The audit log's calls. */
export function registerAuditRoutes(
  given: Http,
  { names, signatureWithinMs = usualSignatureWithinMs }: Pick<AuditPorts, 'names'> & Partial<AuditPorts>,
): void {
  const http = withPorts(given, { names, signatureWithinMs });
  route.read(http, listAudit, list);
  route.read(http, getAuditEvent, get);
  route.read(http, listAuditFilters, filters);
  route.open(http, exportAudit, 'batches', (context, query) =>
    query.format === 'jsonl' ? exportChain(context, query) : exportCsv(context, query),
  );
  route.read(http, getAuditKey, listKeys);
}
