import type { ApprovalTaskDetail } from '@causeway/contract/approvals.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { Time } from '../../../ui/time.tsx';
import { Account } from '../../transactions/index.ts';
import { isAtBank } from '../words.ts';
import { rangeText } from './range-text.ts';
import { submittersText } from './submitters-field.tsx';

/** Why the rule applies: the amounts that it covers, and, where it is for some, as which of them the initiator submitted. */
function whyText(rule: NonNullable<ApprovalTaskDetail['rule']>, t: Translate): string {
  const range = rangeText(rule, t);
  return rule.applied === null ? range : `${range} · ${submittersText([rule.applied], t)}`;
}

/** What was applied for, by whom and under which rule. */
export function TaskFacts({ task }: { task: ApprovalTaskDetail }) {
  const t = useText();
  const { content, party } = task;
  const atBank = isAtBank(task.kind);
  const account = t(atBank ? 'approvals.accountAtBank' : 'approvals.account');
  const fee = content.shape === 'payment' ? content.fee : content.shape === 'exchange' ? content.sell.fee : null;
  const notes = 'notes' in content ? content.notes : '';
  const { invoiceNumber, category } = content.shape === 'payment' ? content : { invoiceNumber: null, category: null };
  const facts: (Fact | false)[] = [
    { term: t('approvals.filter.kind'), value: t(`approvals.kind.${task.kind}`) },
    party !== null && { term: t('approvals.payee'), value: party.name },
    party !== null && {
      term: account,
      value: <Account value={party.account} atBank={atBank} whole what={account} />,
    },
    ...task.facts.map(({ label, value }) => ({ term: label, value })),
    fee !== null &&
      task.coin !== null && {
        term: t('approvals.fee'),
        value: <Money amount={fee} coin={task.coin} align="right" />,
      },
    {
      term: t('approvals.column.initiator'),
      value: task.initiator.left ? t('approvals.left', { name: task.initiator.name }) : task.initiator.name,
    },
    task.department !== null && { term: t('approvals.department'), value: task.department },
    { term: t('approvals.column.started'), value: <Time at={task.startedAt} /> },
    task.finishedAt !== null && { term: t('approvals.column.finished'), value: <Time at={task.finishedAt} /> },
    task.rule !== null && {
      term: t('approvals.rule'),
      value: `${task.rule.name} · ${t('approvals.ruleVersion', { version: task.rule.version })}`,
    },
    task.rule !== null && { term: t('approvals.ruleWhy'), value: whyText(task.rule, t) },
    invoiceNumber !== null && { term: t('approvals.invoiceNumber'), value: invoiceNumber },
    category !== null && { term: t('approvals.category'), value: category },
    notes !== '' && {
      term: t(content.shape === 'account' ? 'approvals.remark' : 'approvals.notes'),
      value: <span className="whitespace-pre-wrap">{notes}</span>,
    },
    {
      term: t('approvals.digest'),
      value: (
        <span className="inline-flex items-center gap-1">
          <span className="font-mono text-12 break-all">{task.digest.slice(0, 16)}…</span>
          <CopyButton text={task.digest} what={t('approvals.digest')} />
        </span>
      ),
    },
  ];
  return <DescriptionList facts={facts.filter((fact) => fact !== false)} />;
}
