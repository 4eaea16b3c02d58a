import type { CodeMethod, CodeSubject } from '@causeway/contract/identity.ts';
import type { Stage } from '@causeway/contract/transactions-rules.ts';
import type { Seal } from '../../platform/crypto/seal.ts';
import type { CompaniesTx } from '../../platform/database/database.ts';
import type { DomainError } from '../../platform/domain-error.ts';
import type { SignedInContext } from '../../platform/session.ts';
import type { ApprovalSubject, Routing } from '../approvals/index.ts';
import type { Posting } from '../ledger/index.ts';
import type { AssessedSubject } from '../risk/index.ts';
import type { NewTransaction } from '../transactions/index.ts';
import type { ApprovedSubject } from './domain.ts';
import type { OutgoingKind, SubmittedKind } from './kind.ts';
import type { BankPart } from './store/payments.ts';

/** What is submitted, by whom, and what came of it. */

/** Whose code is to prove a payment. */
export interface Prover {
  companyId: string;
  userId: string;
  method: CodeMethod;
  subject: CodeSubject;
}

/** The codes of those who submit; identity judges them one after another in memory. */
export interface Proofs {
  /** Throws codeWrong, codeBurnt, transferCodeMismatch, mfaNotBound, codeForAdministrator; a right code stays good until `use`. */
  prove: (request: Prover & { code: string; digest: string }) => { proof: { method: string; id: string }; use(): void };
  /** Issues the statements that write what was used, and the wrong tries that were counted. */
  write(tx: CompaniesTx): Promise<unknown>[];
}

/** What the process that serves requests binds. */
export interface SubmitPorts {
  /** Locks and reads the codes that prove these people's payments. */
  openProofs(tx: CompaniesTx, people: readonly Prover[]): Promise<Proofs>;
  /** Seals what another process verifies: the authorisation of a payment, an exchange. */
  seal: Seal;
}

/** Who submits what kind of payment, with which code. */
export interface Applicant<Kind extends SubmittedKind = SubmittedKind> {
  kind: Kind;
  context: SignedInContext & SubmitPorts;
  proof: { method: CodeMethod; code: string };
}

/** A submission whose own rules hold: what is to be judged, approved, held and written. Amounts in minor units. */
export interface Submission {
  id: string;
  walletId: string;
  /** Null where its wallet is on no chain. */
  chainId: string | null;
  coin: string;
  decimals: number;
  amountMinor: bigint;
  feeMinor: bigint;
  /** What is held while it waits for approval; absent: amount and fee. */
  holdMinor?: bigint;
  /** The most of the coin that the operator lets the company submit within its day, fees not counted; null: no limit. */
  dailyLimitMinor: bigint | null;
  valueUsdCents: bigint;
  /** What is paid from, as it was read. */
  available: { accountId: string; balanceMinor: bigint };
  outboundAccountId: string;
  /** Null where it goes to the company's own wallet. `changedUntil`: its account counts as changed until then. */
  payee: { id: string; name: string; account: string; changedUntil?: Date | null } | null;
  payer: { name: string; account: string };
  notes: string;
  invoiceNumber: string | null;
  /** What it is filed under; a new one joins the company's list. */
  category: { name: string; isNew: boolean } | null;
  /** SHA-256, hex, of the content: what code, approvals and authorisation are bound to. */
  digest: string;
  /** What is paid out where that is bought for it; its own limit on a day. */
  paidOut?: Pick<Submission, 'coin' | 'decimals' | 'amountMinor' | 'dailyLimitMinor'>;
  /** What risk looks at. */
  risk: AssessedSubject;
  subject: ApprovalSubject;
  /** What its task keeps and shows, and by which further words it is found. */
  task: { content: Record<string, unknown>; search: readonly string[] };
  /** What one submission alone may use up: its key among those of the company, and why a second one is refused. */
  uses?: { key: string; refusal: () => DomainError };
  /** What it takes of limits that it shares with all others of a batch where it is done at once: by their key; null: no limit. */
  draws?: readonly { key: string; minor: bigint; room: bigint | null; refusal: () => DomainError }[];
  /** What it is exchanged for, and by which rate and quote. */
  exchanged?: Required<Pick<NewTransaction, 'counter' | 'rate'>>;
  /** The stage at which it is held once nothing has to be approved any more, instead of `atOnce`; absent: nothing else is waited for. */
  rests?: 'waiting_rate';
  /** What happens at once where nothing has to be approved; absent: it is held and handed to a rail. */
  atOnce?: AtOnce;
}

/** Carries a submission out in the transaction that accepts it. */
interface AtOnce {
  posting: Omit<Posting, 'id' | 'sourceId' | 'correctsId'>;
  /** The transaction beside it; null: none. */
  twin: NewTransaction | null;
  /** Where that takes it; absent: to its end. */
  stage?: 'approved';
}

/** A payment that a rail carries. */
export interface PaymentSubmission extends Submission {
  payee: NonNullable<Submission['payee']>;
  attachmentIds: readonly string[];
  /** Of a payment out of a bank. */
  bank: BankPart | null;
}

/** A submission with the person who submits it. */
export interface Submitted<Kind extends SubmittedKind = SubmittedKind, Content extends Submission = Submission>
  extends Applicant<Kind> {
  payment: Content;
}
export type SubmittedPayment = Submitted<OutgoingKind, PaymentSubmission>;

/** What was decided on one that is accepted. */
export interface Decided {
  routing: Routing;
  stage: Stage;
  proved: { method: string; id: string };
  /** That with which it was submitted and is approved; absent: itself. */
  joined?: ApprovedSubject;
}
export type Accepted<Each extends Submitted = Submitted> = Each & Decided;

/** What submissions of one kind have beside their transactions. */
export interface SubmissionParts<Each extends Submitted> {
  /** Issues the statements that write it. */
  write(tx: CompaniesTx, accepted: readonly Accepted<Each>[]): Promise<unknown>[];
  /** What is announced of one that is accepted, beside what pages show. */
  events(accepted: Accepted<Each>): { name: string; payload: Record<string, unknown> }[];
}
