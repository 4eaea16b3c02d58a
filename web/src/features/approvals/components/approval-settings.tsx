import { useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Banner, EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { ChangeLink } from '../../control/index.ts';
import { useReviewSetting } from '../api.ts';
import type { ReviewSetting, Rule } from '../review-setting.ts';
import { DualControlNote } from './dual-control-note.tsx';
import { Findings } from './findings.tsx';
import { ReviewLog } from './review-log.tsx';
import { ReviewOptions } from './review-options.tsx';
import { ReviewSwitch } from './review-switch.tsx';
import { RuleForm } from './rule-form.tsx';
import { RuleList } from './rule-list.tsx';
import { RuleScale } from './rule-scale.tsx';

/** The approval settings of a company: the switch, the rules with what is found about them, expiry, the log. */
export function ApprovalSettings() {
  const setting = useReviewSetting();
  const { data } = setting;
  if (data === undefined && setting.error !== null) {
    return <ErrorState error={setting.error} onRetry={() => void setting.refetch()} />;
  }
  return (
    <Loading loading={data === undefined} skeleton={<Skeleton height="h-96" />}>
      {data && <Settings setting={data} />}
    </Loading>
  );
}

function Settings({ setting }: { setting: ReviewSetting }) {
  const t = useText();
  const mayManage = usePermission('rule.manage');
  const [editing, setEditing] = useState<Rule | 'new' | null>(null);
  return (
    <div className="flex flex-col gap-5">
      <ReviewSwitch setting={setting} />
      {mayManage && <DualControl setting={setting} />}
      <Proposals setting={setting} />
      <Card
        title={t('approvals.rules')}
        {...(mayManage && {
          aside: (
            <Button kind="primary" icon="plus" onClick={() => setEditing('new')}>
              {t('approvals.rule.add')}
            </Button>
          ),
        })}
      >
        {setting.rules.length === 0 ? (
          <EmptyState icon="approval" title={t('approvals.rules.empty')} text={t('approvals.rules.emptyText')} />
        ) : (
          <div className="flex flex-col gap-5">
            <RuleScale rules={setting.rules} />
            <RuleList setting={setting} onEdit={setEditing} />
          </div>
        )}
        {(setting.rules.length > 0 || setting.findings.length > 0) && (
          <Findings label={t('approvals.findings')} findings={setting.findings} />
        )}
      </Card>
      <ReviewOptions setting={setting} />
      <ReviewLog />
      {editing !== null && (
        <RuleForm setting={setting} rule={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
    </div>
  );
}

/** That a change needs a second person, and who does not count as one for some days. */
function DualControl({ setting: { dualControl, heldUntil } }: { setting: ReviewSetting }) {
  const t = useText();
  const formats = useFormats();
  if (heldUntil !== null) {
    return <Banner kind="pending">{t('approvals.held', { until: formats.dateTime(heldUntil) })}</Banner>;
  }
  return dualControl ? <DualControlNote /> : null;
}

/** Changes that wait for a second person. */
function Proposals({ setting: { proposals } }: { setting: ReviewSetting }) {
  const t = useText();
  if (proposals.length === 0) return null;
  return (
    <Banner kind="pending">
      <strong className="block font-medium">{t('approvals.proposals', { count: proposals.length })}</strong>
      <ul className="m-0 mt-1 flex list-none flex-col gap-1 p-0">
        {proposals.map(({ taskId, name, by, at }) => (
          <li key={taskId}>
            <ChangeLink taskId={taskId} className="text-accent underline" otherwise={name}>
              {name}
            </ChangeLink>{' '}
            <span className="text-muted">
              {by} · <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Banner>
  );
}
