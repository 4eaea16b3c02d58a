import { locales } from '@causeway/contract/locale.ts';
import type { OperatorAnnouncement } from '@causeway/contract/operator-announcements.ts';
import { announcementBodyMaxLength, announcementTitleMaxLength } from '@causeway/contract/operator-prices-rules.ts';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { localeNames, useLocale, useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { RadioField } from '../../../ui/radio-field.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { TextArea, TextField } from '../../../ui/text-field.tsx';
import { useEdit, useWrite } from '../api.ts';
import { languageFields } from '../languages.ts';
import { type AnnouncementValues, audienceOf, checkAnnouncement, chosenInstant, localOf, textsOf } from '../rules.ts';

// What the first look does not need: the choice of one company, the time, the preview, and the question before it is sent.
const CompanyField = lazy(async () => ({ default: (await import('./company-field.tsx')).CompanyField }));
const TimingFields = lazy(async () => ({ default: (await import('./timing-fields.tsx')).TimingFields }));
const Preview = lazy(async () => ({ default: (await import('./preview.tsx')).Preview }));
const SendDialog = lazy(async () => ({ default: (await import('./send-dialog.tsx')).SendDialog }));

function defaultsOf(announcement: OperatorAnnouncement | null): AnnouncementValues {
  const texts = announcement?.texts;
  return {
    enTitle: texts?.['en-us'].title ?? '',
    enBody: texts?.['en-us'].body ?? '',
    hkTitle: texts?.['zh-hk'].title ?? '',
    hkBody: texts?.['zh-hk'].body ?? '',
    cnTitle: texts?.['zh-cn'].title ?? '',
    cnBody: texts?.['zh-cn'].body ?? '',
    audience: announcement?.audience.kind ?? 'all',
    companyId: announcement?.audience.company?.id ?? '',
    asset: announcement?.audience.asset ?? '',
    when: announcement === null ? 'now' : 'later',
    at: announcement === null ? '' : localOf(announcement.sendAt),
  };
}

/** The three languages side by side, to whom and when, and how companies will see it. */
export function AnnouncementForm({ announcement }: { announcement: OperatorAnnouncement | null }) {
  const t = useText();
  const locale = useLocale();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<AnnouncementValues | null>(null);
  const [write, edit] = [useWrite(), useEdit()];
  // The same id when the same is sent again: a lost answer must not send twice.
  const id = useRef(announcement?.id ?? newId());
  const fields = useFields<AnnouncementValues, AnnouncementValues>({
    check: checkAnnouncement,
    defaults: defaultsOf(announcement),
    ...(announcement === null && { keep: 'operator-announcement' }),
  });
  const { values } = fields;
  const send = async (checked: AnnouncementValues) => {
    const sendAt = chosenInstant(checked);
    const content = {
      texts: textsOf(checked),
      audience: audienceOf(checked),
      ...(sendAt !== undefined && { sendAt }),
    };
    if (announcement === null) await write.mutateAsync({ body: { id: id.current, ...content } });
    else await edit.mutateAsync({ params: { id: id.current }, body: { ...content, version: announcement.version } });
    fields.forget();
    toast('success', t(sendAt === undefined ? 'ops.announcements.sending' : 'ops.announcements.planned'));
    void navigate({ to: `/app/announcements/${id.current}` });
  };
  // What is sent cannot be taken back, so it is asked once more.
  const submit = async (checked: AnnouncementValues) => {
    if (checked.when === 'now') setAsked(checked);
    else await send(checked);
  };
  const audience =
    values.audience === 'asset'
      ? t('ops.audience.holders', { asset: values.asset })
      : t(`ops.audience.${values.audience}`);
  return (
    <>
      <div className="grid items-start gap-6 xl:grid-cols-[3fr_2fr]">
        <Card>
          <Form fields={fields} onSubmit={submit} label={t('ops.title.writeAnnouncement')}>
            <div className="grid gap-x-5 gap-y-6 lg:grid-cols-3">
              {locales.map((locale) => (
                <fieldset key={locale} className="m-0 flex min-w-0 flex-col gap-4 border-0 p-0" lang={locale}>
                  <legend className="mb-2 p-0 text-13 font-semibold">{localeNames[locale]}</legend>
                  <TextField
                    {...fields.text(languageFields[locale].title)}
                    label={t('ops.announcements.heading')}
                    maxLength={announcementTitleMaxLength}
                  />
                  <TextArea
                    {...fields.text(languageFields[locale].body)}
                    label={t('ops.announcements.body')}
                    rows={8}
                    maxLength={announcementBodyMaxLength}
                  />
                </fieldset>
              ))}
            </div>
            <RadioField
              {...fields.value('audience')}
              label={t('ops.announcements.audience')}
              options={(['all', 'company', 'asset'] as const).map((value) => ({
                value,
                label: t(`ops.audience.${value}`),
              }))}
            />
            {values.audience === 'company' && (
              <Suspense fallback={<Skeleton height="h-15" />}>
                <CompanyField
                  {...fields.value('companyId')}
                  label={t('ops.audience.company')}
                  known={announcement?.audience.company ?? null}
                  placeholder={t('ops.audience.choose')}
                />
              </Suspense>
            )}
            {values.audience === 'asset' && (
              <TextField
                {...fields.text('asset')}
                label={t('ops.prices.asset')}
                hint={t('ops.audience.assetHint')}
                autoCapitalize="characters"
                autoComplete="off"
              />
            )}
            <Suspense fallback={<Skeleton height="h-16" />}>
              <TimingFields
                label={t('ops.announcements.when')}
                now={t('ops.announcements.now')}
                later={t('ops.announcements.later')}
                when={fields.value('when')}
                at={fields.text('at')}
              />
            </Suspense>
            <div className="flex justify-end border-t border-line pt-5">
              <Button type="submit" kind="primary" busy={fields.submitting}>
                {t(values.when === 'now' ? 'ops.announcements.send' : 'ops.announcements.plan')}
              </Button>
            </div>
          </Form>
        </Card>
        <Card title={t('ops.announcements.preview')}>
          <Suspense fallback={<Skeleton height="h-60" />}>
            <Preview texts={textsOf(values)} />
          </Suspense>
        </Card>
      </div>
      {asked !== null && (
        <Suspense>
          <SendDialog
            title={textsOf(values)[locale].title}
            audience={audience}
            busy={write.isPending || edit.isPending}
            onConfirm={() => void send(asked).catch(() => setAsked(null))}
            onClose={() => setAsked(null)}
          />
        </Suspense>
      )}
    </>
  );
}
