import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { Time } from '../../../ui/time.tsx';
import { type Stage as Line, Timeline } from '../../../ui/timeline.tsx';
import { type Step, timelineSteps } from '../timeline-steps.ts';
import { isInNoBlock, overTexts, pendingTone, stageTexts } from '../words.ts';

interface Props {
  detail: TransactionDetail;
  explorerOf: (hash: string) => string | null;
}

/** Where the money has been, where it is, and what is still to come, with times and actors. */
export function TransactionTimeline({ detail, explorerOf }: Props) {
  const t = useText();
  const steps = timelineSteps(detail, detail.timeline);
  return (
    <Timeline
      label={t('transactions.panel.timeline')}
      stages={steps.map((step, index) => {
        // A hash stays the same until a payment is replaced: it is shown where it is new.
        const isNew = !steps.slice(0, index).some(({ entry }) => entry?.hash === step.entry?.hash);
        return lineOf(step, detail, isNew ? explorerOf : null, t);
      })}
    />
  );
}

function lineOf(step: Step, detail: TransactionDetail, explorerOf: Props['explorerOf'] | null, t: Translate): Line {
  const { entry } = step;
  const text = titleOf(step, detail);
  return {
    key: step.key,
    title: t(text),
    at: entry?.at,
    tone: toneOf(step, detail),
    active: step.active,
    ...(entry !== null && { detail: <EntryDetail step={step} detail={detail} explorerOf={explorerOf} /> }),
  };
}

function toneOf(step: Step, detail: TransactionDetail): Line['tone'] {
  if (step.entry === null) return 'neutral';
  if (step.active) return pendingTone(detail);
  return step.over === 'cut' && isCut(step) ? 'notice' : stageTexts[step.stage].tone;
}

function titleOf(step: Step, detail: TransactionDetail): string {
  const { stage, over } = step;
  // Without a task it went on without an approval.
  if (stage === 'approved' && detail.approvalTaskId === null) return 'transactions.stage.noApproval';
  if (step.active && isInNoBlock(detail)) return 'transactions.stage.waitingBlock';
  return (over !== null && overTexts[stage]?.[over]) || stageTexts[stage].text;
}

/** A stage that was begun and not finished. */
function isCut({ stage }: Step): boolean {
  return stage === 'signing' || stage === 'confirming';
}

/** Who decided, and when: approvals while it waits and when it is approved, and the rejection. */
function Decisions({ step, detail }: { step: Step; detail: TransactionDetail }) {
  const t = useText();
  const shows =
    step.stage === 'approved' || step.stage === 'refused' || (step.stage === 'waiting_approval' && step.active);
  if (!shows) return null;
  const decisions = detail.decisions.filter(({ outcome }) => step.stage === 'refused' || outcome === 'approved');
  return decisions.map(({ name, outcome, at, deputyFor }) => (
    <span key={`${name}-${at}`} className="flex flex-wrap gap-x-2">
      {t(`transactions.decision.${outcome}`, {
        name,
        deputy: deputyFor === null ? 'no' : 'yes',
        other: deputyFor ?? '',
      })}
      <span className="text-12 text-faint">
        <Time at={at} />
      </span>
    </span>
  ));
}

interface EntryProps {
  step: Step;
  detail: TransactionDetail;
  /** Null: the hash is not shown again. */
  explorerOf: Props['explorerOf'] | null;
}

function EntryDetail({ step, detail, explorerOf }: EntryProps) {
  const t = useText();
  const { entry } = step;
  if (entry === null) return null;
  // While it goes on, the transaction's own count is the newer one.
  const have = step.active ? (detail.confirmations ?? entry.confirmations) : entry.confirmations;
  const counted = step.stage === 'confirming' && have !== null && detail.confirmationsNeeded !== null;
  return (
    <span className="flex flex-col gap-0.5">
      <Decisions step={step} detail={detail} />
      {entry.actor !== null && (
        <span>
          {t(step.stage === 'submitted' ? 'transactions.submittedBy' : 'transactions.by', { actor: entry.actor })}
        </span>
      )}
      {counted && (
        <span>{t('transactions.confirmations', { have: have ?? 0, need: detail.confirmationsNeeded ?? 0 })}</span>
      )}
      {entry.reason !== null && <span className="text-text">{entry.reason}</span>}
      {step.stage === 'instructed' && detail.payout?.messageId && (
        <span className="figures text-12 break-all text-faint">
          {[detail.payout.messageId, detail.payout.fileName ?? detail.payout.transferId]
            .filter((name) => name !== null)
            .join(' · ')}
        </span>
      )}
      {entry.hash !== null && explorerOf !== null && (
        <Address value={entry.hash} short what={t('transactions.column.hash')} explorerUrl={explorerOf(entry.hash)} />
      )}
    </span>
  );
}
