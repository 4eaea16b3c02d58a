import type { Explanation, RiskCheck } from '@causeway/contract/risk.ts';
import type { ReactNode } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { StatusDot, Tag, type Tone } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { useExplanation } from '../api.ts';
import { momentTexts, policyPath } from '../words.ts';

type Judgement = Explanation['judgements'][number];

const outcomeTones: Record<RiskCheck['outcome'], Tone> = {
  stopped: 'negative',
  exempted: 'positive',
  passed: 'positive',
  notConcerned: 'neutral',
};

interface Props {
  transactionId: string;
  /** The verdict, where the page has shown it already: a reader without the right to see policies sees this much. */
  known?: { allowed: boolean; sentence: string };
  /** Where it is one thing among others: what was asked is opened on demand. */
  folded?: boolean;
}

/**
 * Why a transaction was let pass or stopped: every list and policy that was asked, what it saw and why it matched, by the
 * policies as they were then. The newest judgement is open, earlier ones beneath it.
 */
export function RiskExplanation({ known, ...props }: Props) {
  const maySeePolicies = usePermission('policy.view');
  if (known === undefined || maySeePolicies === true) return <FullExplanation {...props} />;
  return <VerdictView verdict={known} />;
}

function FullExplanation({ transactionId, folded = false }: Omit<Props, 'known'>) {
  const t = useText();
  const explanation = useExplanation(transactionId);
  const { data, error } = explanation;
  // What never went out was never judged.
  if (error?.status === 404) return <p className="m-0 text-13 text-muted">{t('risk.explain.none')}</p>;
  if (data === undefined && error !== null) {
    return <ErrorState error={error} onRetry={() => void explanation.refetch()} />;
  }
  const [newest, ...earlier] = data?.judgements ?? [];
  return (
    <Loading loading={data === undefined} skeleton={<Skeleton height="h-32" />}>
      {newest !== undefined && <JudgementView judgement={newest} folded={folded && newest.allowed} />}
      {earlier.map((judgement) => (
        <details key={judgement.id} className="mt-3 border-t border-line pt-3">
          <summary className="cursor-pointer text-13 text-accent">
            {t(momentTexts[judgement.moment])} · <Time at={judgement.at} />
          </summary>
          <div className="mt-3">
            <JudgementView judgement={judgement} folded={false} />
          </div>
        </details>
      ))}
    </Loading>
  );
}

function JudgementView({ judgement, folded }: { judgement: Judgement; folded: boolean }) {
  const t = useText();
  const { at, moment, rulesetVersion, checks } = judgement;
  return (
    <div className="flex flex-col gap-3">
      <VerdictView verdict={judgement}>
        <p className="m-0 flex flex-wrap items-center gap-x-2 gap-y-1 text-12 text-faint">
          <Tag>{t(momentTexts[moment])}</Tag>
          <Time at={at} />
          <span>{t('risk.explain.ruleset', { version: rulesetVersion })}</span>
        </p>
      </VerdictView>
      {folded ? (
        <details>
          <summary className="cursor-pointer text-13 text-accent">{t('risk.explain.checks')}</summary>
          <div className="mt-3">
            <Checks checks={checks} />
          </div>
        </details>
      ) : (
        <Checks checks={checks} />
      )}
    </div>
  );
}

function VerdictView({ verdict, children }: { verdict: NonNullable<Props['known']>; children?: ReactNode }) {
  const t = useText();
  const { allowed, sentence } = verdict;
  return (
    <div className="flex flex-col gap-1">
      <StatusDot tone={allowed ? 'positive' : 'negative'}>
        <span className="font-medium">{t(allowed ? 'risk.explain.allowed' : 'risk.explain.stopped')}</span>
      </StatusDot>
      <p className="m-0 break-words">{sentence}</p>
      {children}
    </div>
  );
}

function Checks({ checks }: { checks: readonly RiskCheck[] }) {
  const t = useText();
  return (
    <ol aria-label={t('risk.explain.checks')} className="m-0 list-none rounded-10 border border-line p-0">
      {checks.map((check, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step that found nothing has no name but its place
        <li key={index} className="border-line px-4 py-2.5 not-last:border-b">
          <CheckView check={check} />
        </li>
      ))}
    </ol>
  );
}

function CheckView({ check }: { check: RiskCheck }) {
  const t = useText();
  const { step, outcome, subjectId, name, position, version, saw, why } = check;
  return (
    <div className="flex flex-col gap-0.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="min-w-0 break-words">
          {position !== null && <span className="figures mr-1.5 text-faint">{position}.</span>}
          {step === 'policy' && subjectId !== null ? (
            <PlainLink href={`${policyPath}/${subjectId}?view=versions`} className="font-medium text-accent">
              {name}
            </PlainLink>
          ) : (
            <span className="font-medium">{name}</span>
          )}
          {version !== null && <span className="ml-1.5 text-12 text-faint">{t('risk.version', { version })}</span>}
        </span>
        <span className="text-13">
          <StatusDot tone={outcomeTones[outcome]}>{t(`risk.outcome.${outcome}`)}</StatusDot>
        </span>
      </div>
      <p className="m-0 text-13 break-words">{saw}</p>
      <p className="m-0 text-13 break-words text-muted">{why}</p>
    </div>
  );
}
