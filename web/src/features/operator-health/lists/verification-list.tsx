import { listVerifications } from 'virtual:calls/operator-health';
import { defineList } from '../../../ui/list-view.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { ChainName } from '../../operator/index.ts';
import { resultTexts, resultTones, verificationTexts } from '../words.ts';

/** What was verified every night, the newest first. */
export const verificationList = defineList({
  call: listVerifications,
  label: 'ops.title.verifications',
  name: 'operator-verifications',
  filters: [
    { kind: 'choice', name: 'kind', label: 'ops.verified.what', options: verificationTexts },
    { kind: 'choice', name: 'result', label: 'ops.verified.result', options: resultTexts },
  ],
  columns: ({ t }) => [
    {
      id: 'kind',
      header: t('ops.verified.what'),
      card: 'title',
      skeleton: 'w-28',
      cell: ({ kind, chainId }) => (
        <span className="font-medium">
          {t(`ops.verified.${kind}`)} {chainId !== null && <ChainName id={chainId} />}
        </span>
      ),
    },
    {
      id: 'endedAt',
      header: t('ops.verified.endedAt'),
      skeleton: 'w-32',
      cell: ({ endedAt }) => <Time at={endedAt} />,
    },
    {
      id: 'took',
      header: t('ops.verified.took'),
      align: 'right',
      skeleton: 'w-16',
      cell: ({ startedAt, endedAt }) =>
        t('ops.verified.seconds', { seconds: Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1000) }),
    },
    {
      id: 'checked',
      header: t('ops.verified.count'),
      align: 'right',
      skeleton: 'w-12',
      cell: ({ checked }) => checked,
    },
    {
      id: 'result',
      header: t('ops.verified.result'),
      card: 'status',
      width: '35%',
      skeleton: 'w-32',
      cell: ({ result, differences, findings }) => (
        <StatusDot
          tone={resultTones[result]}
          {...(findings.length > 0 && { detail: <span className="wrap-anywhere">{findings.join('; ')}</span> })}
        >
          {result === 'differs' ? t('ops.result.differences', { count: differences }) : t(`ops.result.${result}`)}
        </StatusDot>
      ),
    },
  ],
  rowId: ({ id }) => id,
  empty: { icon: 'shield', title: 'ops.verified.empty', text: 'ops.verified.none' },
});
