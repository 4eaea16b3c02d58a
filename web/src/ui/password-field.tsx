import { checkPassword, passwordRules } from '@causeway/contract/identity-rules.ts';
import { type ComponentProps, useId, useState } from 'react';
import { useText } from '../lib/locale.tsx';
import { classNames } from './class-names.ts';
import { controlClass } from './control-look.ts';
import { Field, type FieldFrame, splitFrame } from './field.tsx';
import { Icon } from './icon.tsx';

export interface PasswordFieldProps extends FieldFrame, Omit<ComponentProps<'input'>, 'className' | 'id' | 'type'> {
  /** What has been typed so far: shows the four-point checklist (decisions, "Sign-in") live. */
  checklistFor?: string;
  /** A submit was refused for want of them: the points that are not met turn red. */
  missed?: boolean;
}

/** A password, hidden until the eye is pressed, with the live checklist when asked for. */
export function PasswordField({ checklistFor, missed = false, ...props }: PasswordFieldProps) {
  const t = useText();
  const [shown, setShown] = useState(false);
  const listId = useId();
  const [frame, control] = splitFrame(props);
  return (
    <div className="flex flex-col gap-2">
      <Field {...frame}>
        {(aria) => (
          <div className="relative">
            <input
              autoComplete="current-password"
              autoCapitalize="off"
              spellCheck={false}
              {...control}
              {...aria}
              aria-describedby={classNames(aria['aria-describedby'], checklistFor !== undefined && listId) || undefined}
              type={shown ? 'text' : 'password'}
              className={controlClass('h-9 pr-10')}
            />
            <button
              type="button"
              aria-label={t(shown ? 'ui.password.hide' : 'ui.password.show')}
              aria-pressed={shown}
              className="absolute inset-y-0 right-0 inline-flex w-9 items-center justify-center rounded-6 text-faint hover:text-text"
              onClick={() => setShown(!shown)}
            >
              <Icon name={shown ? 'eyeOff' : 'eye'} />
            </button>
          </div>
        )}
      </Field>
      {checklistFor !== undefined && (
        <PasswordChecklist id={listId} password={checklistFor} missed={missed || Boolean(frame.error)} />
      )}
    </div>
  );
}

interface ChecklistProps {
  id: string;
  password: string;
  missed: boolean;
}

function PasswordChecklist({ id, password, missed }: ChecklistProps) {
  const t = useText();
  const passed = checkPassword(password);
  return (
    <ul id={id} className="m-0 grid list-none grid-cols-1 gap-x-4 gap-y-1 p-0 text-12 sm:grid-cols-2">
      {passwordRules.map((rule) => (
        <li
          key={rule}
          data-rule={rule}
          data-passed={passed[rule]}
          className={classNames('flex items-start gap-1.5', toneOf(passed[rule], missed))}
        >
          <Icon name={passed[rule] ? 'check' : missed ? 'close' : 'minus'} size={14} className="mt-px shrink-0" />
          <span>
            {t(`ui.password.rule.${rule}`)}
            <span className="sr-only">{t(passed[rule] ? 'ui.password.passed' : 'ui.password.notPassed')}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function toneOf(passed: boolean, missed: boolean): string {
  if (passed) return 'text-positive';
  return missed ? 'text-negative' : 'text-faint';
}
