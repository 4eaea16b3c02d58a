import {
  downloadReserveProof,
  downloadStatement,
  getPeriodStatement,
  getReserveProof,
  listReserveProofs,
  listStatements,
} from '@causeway/contract/statements.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import { describeStatement, describeStatements } from './service/describe.ts';
import { download, type StatementPorts } from './service/download.ts';
import { downloadProof, getProof, listProofs } from './service/reserve-proofs.ts';

export function registerStatementRoutes(given: Http, ports: StatementPorts): void {
  const http = withPorts(given, ports);
  route.read(http, listStatements, describeStatements);
  route.read(http, getPeriodStatement, describeStatement);
  route.open(http, downloadStatement, 'batches', download);
  route.read(http, listReserveProofs, listProofs);
  route.read(http, getReserveProof, getProof);
  // It notes the download.
  route.write(http, downloadReserveProof, downloadProof);
}
