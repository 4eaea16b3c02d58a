import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { loadTexts, useText } from '../lib/locale.tsx';
import { draftPrefix } from '../lib/storage.ts';
import { afterPress } from './pointer.ts';

/** What a check finds: the values in their final shape, or what is wrong where; messages are text ids (`field.…`). */
export type Checked<Output> = { ok: true; values: Output } | { ok: false; problems: readonly FieldProblem[] };

export interface FieldProblem {
  path: readonly PropertyKey[];
  message: string;
}

export interface FieldsOptions<Values extends object, Output> {
  /** The rules: `byContract(schema)`, or a plain function where the page must stay light. Stable between renders. */
  check: (values: Values) => Checked<Output>;
  defaults: Values;
  /** Name under which what was typed survives a reload, for long forms. */
  keep?: string;
  /** Fields that are never kept: codes, passwords, files. */
  keepExcept?: readonly (keyof Values & string)[];
}

type Name<Values> = keyof Values & string;
type InputChange = ChangeEvent<HTMLInputElement | HTMLTextAreaElement>;

/** A form's state and the ways fields are tied to it. */
export interface Fields<Values extends object, Output> {
  values: Values;
  set: <N extends Name<Values>>(name: N, value: Values[N]) => void;
  /** For inputs that hold text: TextField, TextArea, PasswordField. */
  text: (name: Name<Values>) => TextBinding;
  /** For a Checkbox. */
  box: (name: Name<Values>) => BoxBinding;
  /** For fields that hand over a value: AmountField, CodeField, SelectField, ComboboxField, FileDrop. */
  value: <N extends Name<Values>>(name: N) => ValueBinding<Values[N]>;
  /** The field's error as a sentence. */
  error: (name: Name<Values>) => string | undefined;
  submitting: boolean;
  /** Back to the defaults, and what was kept is forgotten. */
  reset: () => void;
  /** Forgets what was kept; done by itself after a submit that succeeded. */
  forget: () => void;
  checkAll: () => Checked<Output>;
  showServerErrors: (fields: Readonly<Record<string, string>>) => void;
  setSubmitting: (submitting: boolean) => void;
}

interface TextBinding {
  name: string;
  value: string;
  onChange: (event: InputChange) => void;
  onBlur: () => void;
  error: string | undefined;
}

interface BoxBinding {
  name: string;
  checked: boolean;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  error: string | undefined;
}

interface ValueBinding<Value> {
  name: string;
  value: Value;
  onChange: (value: Value) => void;
  onBlur: () => void;
  error: string | undefined;
}

/** What is wrong with a field: a text id from the rules, or a sentence that the server sent. */
interface Problem {
  text: string;
  fromServer: boolean;
}
type Problems = Record<string, Problem>;

/**
 * Fetches the texts `field.…`: no page's first paint has a use for them. Forms by `useFields` have them anyway; a failure
 * is left for the next form.
 */
export function useFieldTexts(): void {
  useEffect(() => void loadTexts(['fields']).catch(() => undefined), []);
}

/**
 * A form over rules: checks a field when it is left, everything on submit, and a field known to be wrong as one types;
 * puts the server's field errors where they belong; keeps what was typed when asked to.
 */
export function useFields<Values extends object, Output>(
  options: FieldsOptions<Values, Output>,
): Fields<Values, Output> {
  const { check, defaults, keep, keepExcept = [] } = options;
  const t = useText();
  useFieldTexts();
  const [values, setValues] = useState<Values>(() => ({ ...defaults, ...kept<Values>(keep) }));
  const [problems, setProblems] = useState<Problems>({});
  const [submitting, setSubmitting] = useState(false);
  // Handlers may run several times before the next drawing; they must see each other's changes.
  const latest = useRef(values);
  useKeep(keep, textToKeep(values, defaults, keepExcept));

  function recheck(name: string): void {
    const found = problemsOf(check(latest.current));
    setProblems(({ [name]: _, ...others }) =>
      found[name] === undefined ? others : { ...others, [name]: found[name] },
    );
  }
  function set<N extends Name<Values>>(name: N, value: Values[N]): void {
    latest.current = { ...latest.current, [name]: value };
    setValues(latest.current);
    if (problems[name] !== undefined) recheck(name);
  }
  function replace(next: Values): void {
    latest.current = next;
    setValues(next);
    setProblems({});
  }
  const error = (name: string) => {
    const problem = problems[name];
    return problem && (problem.fromServer ? problem.text : t(problem.text));
  };
  const setAny = set as (name: Name<Values>, value: unknown) => void;
  return {
    values,
    set,
    error,
    submitting,
    setSubmitting,
    text: (name) => ({
      name,
      value: String(values[name] ?? ''),
      onChange: (event) => setAny(name, event.target.value),
      onBlur: () => afterPress(() => recheck(name)),
      error: error(name),
    }),
    box: (name) => ({
      name,
      checked: values[name] === true,
      onChange: (event) => setAny(name, event.target.checked),
      error: error(name),
    }),
    value: (name) => ({
      name,
      value: values[name],
      onChange: (value) => set(name, value),
      onBlur: () => afterPress(() => recheck(name)),
      error: error(name),
    }),
    reset: () => {
      forget(keep);
      replace(defaults);
    },
    forget: () => forget(keep),
    checkAll: () => {
      const checked = check(latest.current);
      setProblems(problemsOf(checked));
      return checked;
    },
    showServerErrors: (fields) => {
      const entries = Object.entries(fields).map(
        ([name, text]) => [fieldOf(name), { text, fromServer: true }] as const,
      );
      setProblems((old) => ({ ...old, ...Object.fromEntries(entries) }));
    },
  };
}

/** The first problem of each field; what is wrong inside a list or a group is its field's problem. */
export function problemsOf(checked: Checked<unknown>): Problems {
  const found: Problems = {};
  if (checked.ok) return found;
  for (const { path, message } of checked.problems) {
    found[String(path[0] ?? '')] ??= { text: message, fromServer: false };
  }
  return found;
}

/** `attachments.0.id` of the server is the field `attachments` of the form. */
function fieldOf(name: string): string {
  return name.split('.')[0] ?? name;
}

/**
 * What is kept of a form, as one text; null of one that stands at its defaults. Whoever sends a form and resets it must find
 * nothing of it later: its defaults may hold the id of what was sent, under which nothing else can be sent.
 */
export function textToKeep<Values extends object>(
  values: Values,
  defaults: Values,
  except: readonly string[],
): string | null {
  const textOf = (of: Values) => JSON.stringify(Object.entries(of).filter(([key]) => !except.includes(key)));
  if (textOf(values) === textOf(defaults)) return null;
  return JSON.stringify(Object.fromEntries(Object.entries(values).filter(([key]) => !except.includes(key))));
}

function useKeep(name: string | undefined, text: string | null): void {
  const written = useRef<string | null | undefined>(undefined);
  useEffect(() => {
    if (name === undefined) return;
    // The first drawing only says what is already kept; after a submit nothing must bring it back.
    if (written.current !== undefined && written.current !== text) {
      if (text === null) forget(name);
      else write(name, text);
    }
    written.current = text;
  }, [name, text]);
}

function write(name: string, text: string): void {
  try {
    sessionStorage.setItem(`${draftPrefix}${name}`, text);
  } catch {
    // A full or forbidden storage costs the safety net, not the form.
  }
}

function kept<Values>(name: string | undefined): Partial<Values> {
  if (name === undefined) return {};
  try {
    return JSON.parse(sessionStorage.getItem(`${draftPrefix}${name}`) ?? '{}');
  } catch {
    return {};
  }
}

function forget(name: string | undefined): void {
  if (name === undefined) return;
  try {
    sessionStorage.removeItem(`${draftPrefix}${name}`);
  } catch {
    // Nothing was kept then.
  }
}
