import { openRecordStore, type RecordReader, type RecordStore, type RecordTx } from '../record-store.ts';
import type { Collections } from './model.ts';

export type Tx = RecordTx<Collections>;
export type Reader = RecordReader<Collections>;
export type BankStore = RecordStore<Collections>;

/** The bank's memory. @throws SandboxFailure damaged */
export function openBankStore(dir: string, snapshotAfter?: number): Promise<BankStore> {
  return openRecordStore(dir, 'the bank', snapshotAfter);
}
