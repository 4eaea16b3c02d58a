import { setReviewOptions } from '@causeway/contract/review.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { byContract } from '../../../ui/by-contract.ts';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { ControlNote, PendingChanges, useTellChange } from '../../control/index.ts';
import { useReviewOptions } from '../api.ts';
import type { ReviewSetting } from '../review-setting.ts';

const byOptions = byContract(setReviewOptions.body);
const whole = (text: string) => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : 0);
const check = ({ expiryDays, reminderHours }: { expiryDays: string; reminderHours: string }) =>
  byOptions({ expiryDays: whole(expiryDays), reminderHours: whole(reminderHours) });

/** After how many days an application expires, and how often its approvers are reminded. */
export function ReviewOptions({ setting }: { setting: ReviewSetting }) {
  const t = useText();
  const mayChange = usePermission('setting.manage');
  const { expiryDays, reminderHours } = setting;
  return (
    <Card title={t('approvals.options')}>
      <PendingChanges kinds={['setReviewOptions']} spaced />
      {mayChange ? (
        <OptionsForm key={`${expiryDays}/${reminderHours}`} setting={setting} />
      ) : (
        <DescriptionList
          facts={[
            { term: t('approvals.options.expiry'), value: t('approvals.options.days', { count: expiryDays }) },
            { term: t('approvals.options.reminder'), value: t('approvals.options.hours', { count: reminderHours }) },
          ]}
        />
      )}
    </Card>
  );
}

function OptionsForm({ setting }: { setting: ReviewSetting }) {
  const t = useText();
  const save = useReviewOptions();
  const tell = useTellChange();
  const fields = useFields({
    check,
    defaults: { expiryDays: String(setting.expiryDays), reminderHours: String(setting.reminderHours) },
  });
  return (
    <Form
      fields={fields}
      onSubmit={async (body) => {
        const effect = await save.mutateAsync({ body });
        tell(effect, t('approvals.set'));
        // What waits is in the note above; the form shows what is in force.
        if (!effect.applied) fields.reset();
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('approvals.options.expiry')}
          hint={t('approvals.options.expiryHint')}
          inputMode="numeric"
          {...fields.text('expiryDays')}
        />
        <TextField
          label={t('approvals.options.reminder')}
          hint={t('approvals.options.reminderHint')}
          inputMode="numeric"
          {...fields.text('reminderHours')}
        />
      </div>
      <ControlNote permission="setting.manage" />
      <div>
        <Button type="submit" busy={save.isPending}>
          {t('approvals.rule.save')}
        </Button>
      </div>
    </Form>
  );
}
