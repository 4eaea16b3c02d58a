import type { Body, Output } from '@causeway/contract/call.ts';
import { type getCompanySettings, setCompanySettings } from '@causeway/contract/organisation.ts';
import { baseCurrencies, codeRecipients } from '@causeway/contract/organisation-rules.ts';
import { useEffect, useMemo, useRef } from 'react';
import { useLocaleTag, useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { byContract } from '../../../ui/by-contract.ts';
import { Card } from '../../../ui/card.tsx';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import { Form } from '../../../ui/form.tsx';
import { type Fields, useFields } from '../../../ui/form-state.ts';
import { RadioField } from '../../../ui/radio-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Checkbox, TextField } from '../../../ui/text-field.tsx';
import { ControlNote, PendingChanges, useTellChange } from '../../control/index.ts';
import { useCompanySettings, useSetCompanySettings } from '../api.ts';

type Read = Output<typeof getCompanySettings>;
type Settings = Omit<Read, 'approverCount'>;

/** As the form holds it: a number is typed. */
type Values = Omit<Settings, 'waitingHours' | 'changedPayeeDays'> & { waitingHours: string; changedPayeeDays: string };

const valuesOf = (settings: Settings): Values => ({
  ...settings,
  waitingHours: String(settings.waitingHours),
  changedPayeeDays: String(settings.changedPayeeDays),
});
const byBody = byContract(setCompanySettings.body);
const whole = (text: string) => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : 0);
const check = (values: Values) =>
  byBody({
    ...values,
    waitingHours: whole(values.waitingHours),
    changedPayeeDays: whole(values.changedPayeeDays),
  });

/** What holds for the whole company: by whose midnight days are counted, and whom a transfer's code goes to. */
export function CompanySettings() {
  const settings = useCompanySettings();
  const { data } = settings;
  return (
    <Card>
      {data === undefined && settings.error !== null ? (
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
      ) : (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-60" />}>
          {data && <SettingsForm read={data} />}
        </Loading>
      )}
    </Card>
  );
}

function SettingsForm({ read: { approverCount, ...settings } }: { read: Read }) {
  const t = useText();
  const tag = useLocaleTag();
  const zones = useMemo(() => zoneOptions(tag, settings.timeZone), [tag, settings.timeZone]);
  const currencies = useMemo(() => currencyOptions(tag), [tag]);
  const fields = useFields<Values, Body<typeof setCompanySettings>>({
    check,
    defaults: valuesOf(settings),
  });
  useFollow(fields, settings);
  const save = useSetCompanySettings();
  const tell = useTellChange();
  const submit = async (body: Body<typeof setCompanySettings>) => {
    const effect = await save.mutateAsync({ body });
    tell(effect, t('organisation.set'));
    // What waits is in the note above; the form shows what is in force.
    if (!effect.applied) fields.reset();
  };
  return (
    <div className="flex max-w-140 flex-col gap-4">
      <PendingChanges kinds={['setCompanySettings']} />
      <Form fields={fields} onSubmit={submit} label={t('organisation.structure.company')}>
        <ComboboxField
          label={t('organisation.settings.timeZone')}
          hint={t('organisation.settings.timeZoneHint')}
          options={zones}
          {...fields.value('timeZone')}
        />
        <SelectField
          label={t('organisation.settings.baseCurrency')}
          hint={t('organisation.settings.baseCurrencyHint')}
          options={currencies}
          {...fields.value('baseCurrency')}
        />
        <RadioField
          label={t('organisation.settings.recipient')}
          hint={t('organisation.settings.recipientHint')}
          options={codeRecipients.map((value) => ({ value, label: t(`organisation.settings.recipient.${value}`) }))}
          {...fields.value('codeRecipient')}
        />
        <TextField
          label={t('organisation.settings.waitingHours')}
          hint={t('organisation.settings.waitingHoursHint')}
          inputMode="numeric"
          {...fields.text('waitingHours')}
        />
        <Checkbox {...fields.box('forbidOwnApprovers')}>{t('organisation.settings.forbidOwn')}</Checkbox>
        <ApprovePayees fields={fields} approverCount={approverCount} />
        <TextField
          label={t('organisation.settings.changedPayeeDays')}
          hint={t('organisation.settings.changedPayeeDaysHint')}
          inputMode="numeric"
          {...fields.text('changedPayeeDays')}
        />
        <ControlNote permission="setting.manage" />
        <div className="flex justify-end">
          <Button type="submit" kind="primary" busy={fields.submitting}>
            {t('organisation.save')}
          </Button>
        </div>
      </Form>
    </div>
  );
}

/** What is wrong with so few approvers. */
const approverFindings = ['organisation.settings.approvePayeesNone', 'organisation.settings.approvePayeesOne'] as const;

/** Whether new payees need approval, and what is in its way when it is about to be switched on. */
function ApprovePayees({
  fields,
  approverCount,
}: {
  fields: Fields<Values, Body<typeof setCompanySettings>>;
  approverCount: number;
}) {
  const t = useText();
  const finding = approverFindings[approverCount];
  return (
    <div className="flex flex-col gap-2">
      <Checkbox {...fields.box('approveNewPayees')}>
        {t('organisation.settings.approvePayees')}
        <span className="mt-0.5 block text-12 text-faint">{t('organisation.settings.approvePayeesHint')}</span>
      </Checkbox>
      {fields.values.approveNewPayees && finding !== undefined && <Banner kind="pending">{t(finding)}</Banner>}
    </div>
  );
}

/** Fields that were not touched follow what a colleague changes meanwhile, so that saving the form changes nothing back. */
function useFollow(fields: Pick<Fields<Values, unknown>, 'values' | 'set'>, settings: Settings): void {
  const known = useRef(settings);
  useEffect(() => {
    const before = valuesOf(known.current);
    const now = valuesOf(settings);
    known.current = settings;
    for (const name of Object.keys(now) as (keyof Values)[]) {
      if (fields.values[name] === before[name] && now[name] !== before[name]) fields.set(name, now[name]);
    }
  }, [fields, settings]);
}

/** Each with its name in the reader's language: "HKD · Hong Kong Dollar". */
function currencyOptions(tag: string) {
  const names = new Intl.DisplayNames(tag, { type: 'currency' });
  return baseCurrencies.map((value) => ({ value, label: `${value} · ${names.of(value) ?? value}` }));
}

/** The time zones that the browser knows, each with its distance to UTC today; the one in force is always among them. */
function zoneOptions(tag: string, inForce: string) {
  const zones = [...new Set([inForce, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
  return zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' '), detail: distance(tag, zone) }));
}

function distance(tag: string, zone: string): string {
  const format = new Intl.DateTimeFormat(tag, { timeZone: zone, timeZoneName: 'longOffset' });
  return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
