import { type BalanceCheck, type Finding, StatementSums } from './check.ts';
import { detailOf, entryOf } from './entries.ts';
import type {
  Balance,
  BankMessage,
  BankMessageKind,
  BatchStatus,
  Entry,
  EntryDetail,
  GroupStatus,
  Statement,
  TransactionStatus,
} from './model.ts';
import { BankFileError } from './problem.ts';
import { balanceOf, pageOf, statementOf } from './statements.ts';
import { batchStatusOf, groupStatusOf, transactionStatusOf } from './statuses.ts';
import { child, dateTimeOf, neededText } from './values.ts';
import { readXml, type XmlElement, type XmlLimits, type XmlVisitor, xmlLimits } from './xml.ts';

/** A part of a bank's file, in the order of the file. */
export type BankFilePart =
  | { part: 'message'; message: BankMessage }
  | { part: 'statement'; statement: Statement }
  | { part: 'entry'; entry: Entry }
  | { part: 'statementEnd'; balances: Balance[]; checks: BalanceCheck[]; findings: Finding[] }
  | { part: 'groupStatus'; status: GroupStatus }
  | { part: 'batchStatus'; status: BatchStatus }
  | { part: 'transactionStatus'; status: TransactionStatus };

/**
 * Reads a bank's file part by part while it arrives, so that memory does not grow with it: camt.053 and camt.054 (versions 2 to 8),
 * pain.002 (versions 3 to 11). A message may be inside an envelope of the bank's, several times. Elements outside the subset are
 * ignored. Parts that were given before an error must be undone: the file is wrong as a whole.
 * @throws BankFileError
 */
export async function* readBankFile(
  bytes: AsyncIterable<Uint8Array>,
  limits: XmlLimits = xmlLimits,
): AsyncGenerator<BankFilePart> {
  const reader = new FileReader();
  for await (const _ of readXml(bytes, reader, limits)) yield* reader.take();
  if (!reader.hasMessage) throw new BankFileError('message', { value: reader.root });
}

interface Version {
  kind: BankMessageKind;
  /** The element inside `Document`. */
  body: string;
  /** What the body repeats, each entered and read part by part. */
  unit: 'Stmt' | 'Ntfctn' | 'OrgnlPmtInfAndSts';
  /** What the body has at least once. */
  least: 'Stmt' | 'Ntfctn' | 'OrgnlGrpInfAndSts';
  oldest: number;
  newest: number;
}

const versions: readonly Version[] = [
  { kind: 'camt.053', body: 'BkToCstmrStmt', unit: 'Stmt', least: 'Stmt', oldest: 2, newest: 8 },
  { kind: 'camt.054', body: 'BkToCstmrDbtCdtNtfctn', unit: 'Ntfctn', least: 'Ntfctn', oldest: 2, newest: 8 },
  {
    kind: 'pain.002',
    body: 'CstmrPmtStsRpt',
    unit: 'OrgnlPmtInfAndSts',
    least: 'OrgnlGrpInfAndSts',
    oldest: 3,
    newest: 11,
  },
];

/** Of ISO, or of a bank community that writes the message's name into its own (SIX: …/pain.002.001.03.ch.02.xsd). */
const nameInNamespace = /\b([a-z]{4}\.\d{3}\.\d{3}\.(\d{2}))(?=$|\.ch\.\d{2}\.xsd$)/;
const wrappers = 6;

/** Which message a `Document` is, by its namespace. @throws BankFileError message, version */
function versionOf({ namespace }: XmlElement): { version: Version; name: string } {
  const [, name = '', number] = nameInNamespace.exec(namespace) ?? [];
  const version = versions.find(({ kind }) => name.startsWith(`${kind}.001.`));
  if (!version) throw new BankFileError('message', { value: name || namespace });
  if (Number(number) < version.oldest || Number(number) > version.newest) {
    const said = (most: number) => `${version.kind}.001.${String(most).padStart(2, '0')}`;
    throw new BankFileError('version', { value: name, oldest: said(version.oldest), newest: said(version.newest) });
  }
  return { version, name };
}

/** Where a reader is: in an envelope, in the document, in its body, in a statement, in a batch of statuses. */
class FileReader implements XmlVisitor {
  root = '';
  hasMessage = false;
  #parts: BankFilePart[] = [];
  #current: { version: Version; name: string; namespace: string } | null = null;
  #hasHeader = false;
  #isWhole = false;
  #statement: OpenStatement | null = null;
  #batch: OpenBatch | null = null;

  take(): BankFilePart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  open(element: XmlElement): 'enter' | 'keep' | 'skip' {
    const { name, parent } = element;
    if (parent === null) this.root = name;
    if (this.#current === null) return this.#openEnvelope(element);
    if (element.namespace !== this.#current.namespace) return 'skip';
    const { body } = this.#current.version;
    if (parent?.name === 'Document') return this.#openBody(element, body);
    if (parent?.name === body) return this.#openChild(element);
    if (parent === this.#statement?.element) return this.#statement ? this.#statement.open(element) : 'skip';
    return parent === this.#batch?.element && this.#batch ? this.#batch.open(element, this.#parts) : 'skip';
  }

  #openEnvelope(element: XmlElement): 'enter' | 'skip' {
    if (element.name === 'Document') {
      this.#current = { ...versionOf(element), namespace: element.namespace };
      this.#hasHeader = false;
      this.#isWhole = false;
      return 'enter';
    }
    // The header of SWIFT's envelope is before the message and has nothing that the message lacks.
    return element.name === 'AppHdr' || element.path.split('/').length > wrappers ? 'skip' : 'enter';
  }

  #openBody(element: XmlElement, body: string): 'enter' {
    if (element.name !== body) throw new BankFileError('missing', { path: `${element.parent?.path}/${body}` });
    return 'enter';
  }

  #openChild(element: XmlElement): 'enter' | 'keep' | 'skip' {
    const { name } = element;
    if (name === 'GrpHdr') return 'keep';
    if (!this.#hasHeader) throw new BankFileError('missing', { path: `${element.parent?.path}/GrpHdr` });
    const { unit, least } = this.#current?.version ?? {};
    if (name === least) this.#isWhole = true;
    if (name !== unit) return name === least ? 'keep' : 'skip';
    if (unit === 'OrgnlPmtInfAndSts') this.#batch = new OpenBatch(element);
    else this.#statement = new OpenStatement(element);
    return 'enter';
  }

  inside(element: XmlElement): void {
    if (element.name !== 'TxDtls' || element.parent?.name !== 'NtryDtls') return;
    this.#statement?.addDetail(detailOf(element));
    // Taken: an entry of many thousand details is not kept twice.
    element.children.length = 0;
  }

  kept(element: XmlElement): void {
    if (element.name === 'GrpHdr' && this.#current) {
      if (this.#hasHeader) throw new BankFileError('twice', { path: element.path });
      this.#hasHeader = true;
      this.#parts.push({ part: 'message', message: messageOf(element, this.#current) });
    } else if (element.name === 'OrgnlGrpInfAndSts') {
      this.#parts.push({ part: 'groupStatus', status: groupStatusOf(element) });
    } else if (this.#statement) this.#statement.add(element, this.#parts);
    else if (this.#batch) this.#batch.add(element, this.#parts);
  }

  left(element: XmlElement): void {
    if (element === this.#statement?.element) {
      this.#statement.end(this.#parts);
      this.#statement = null;
    } else if (element === this.#batch?.element) {
      this.#batch.begin(this.#parts);
      this.#batch = null;
    } else if (element.name === 'Document' && this.#current) {
      const { body, least } = this.#current.version;
      const isWhole = this.#hasHeader && this.#isWhole;
      if (!isWhole)
        throw new BankFileError('missing', { path: `${element.path}/${body}/${this.#hasHeader ? least : 'GrpHdr'}` });
      this.hasMessage = true;
      this.#current = null;
    }
  }
}

function messageOf(element: XmlElement, { version, name }: { version: Version; name: string }): BankMessage {
  const id = neededText(element, 'MsgId');
  const createdAt = dateTimeOf(child(element, 'CreDtTm'));
  if (createdAt === null) throw new BankFileError('missing', { path: `${element.path}/CreDtTm` });
  return { kind: version.kind, name, id, createdAt, page: pageOf(child(element, 'MsgPgntn')) };
}

/** A statement or notification whose entries are given one by one. */
class OpenStatement {
  readonly element: XmlElement;
  readonly #sums = new StatementSums();
  #details: EntryDetail[] = [];
  #isGiven = false;

  constructor(element: XmlElement) {
    this.element = element;
  }

  open(inner: XmlElement): 'keep' {
    // What an entry belongs to must be known before it: the schema has it so.
    if (this.#isGiven && (inner.name === 'Acct' || inner.name === 'Id')) {
      throw new BankFileError('order', { path: inner.path });
    }
    return 'keep';
  }

  addDetail(detail: EntryDetail): void {
    this.#details.push(detail);
  }

  add(inner: XmlElement, parts: BankFilePart[]): void {
    if (inner.name === 'Bal') this.#sums.addBalance(balanceOf(inner));
    else if (inner.name !== 'Ntry') this.element.children.push(inner);
    else {
      this.#give(parts);
      const entry = entryOf(inner, this.#details);
      this.#details = [];
      this.#sums.addEntry(entry);
      parts.push({ part: 'entry', entry });
    }
  }

  end(parts: BankFilePart[]): void {
    this.#give(parts);
    parts.push({ part: 'statementEnd', ...this.#sums.end(child(this.element, 'TxsSummry')) });
  }

  #give(parts: BankFilePart[]): void {
    if (this.#isGiven) return;
    this.#isGiven = true;
    parts.push({ part: 'statement', statement: statementOf(this.element) });
  }
}

/** What is said of the batch itself, before its transactions. */
const ofBatch = new Set(['OrgnlPmtInfId', 'OrgnlNbOfTxs', 'PmtInfSts', 'StsRsnInf', 'NbOfTxsPerSts']);

/** The statuses of one payment information of ours. */
class OpenBatch {
  readonly element: XmlElement;
  #id: string | null = null;

  constructor(element: XmlElement) {
    this.element = element;
  }

  add(inner: XmlElement, parts: BankFilePart[]): void {
    if (inner.name !== 'TxInfAndSts') this.element.children.push(inner);
    else parts.push({ part: 'transactionStatus', status: transactionStatusOf(inner, this.#id) });
  }

  open(inner: XmlElement, parts: BankFilePart[]): 'keep' {
    if (inner.name === 'TxInfAndSts') this.begin(parts);
    else if (this.#id !== null && ofBatch.has(inner.name)) throw new BankFileError('order', { path: inner.path });
    return 'keep';
  }

  /** Gives what is said of the batch, once, before its first transaction. */
  begin(parts: BankFilePart[]): void {
    if (this.#id !== null) return;
    const status = batchStatusOf(this.element);
    this.#id = status.paymentInformation;
    parts.push({ part: 'batchStatus', status });
  }
}
