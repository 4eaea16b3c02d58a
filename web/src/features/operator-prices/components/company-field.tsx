import { useState } from 'react';
import { useSettled } from '../../../lib/settled.ts';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import { useCompanies, useCompany } from '../api.ts';

interface Named {
  id: string;
  name: string;
}

interface Props {
  label: string;
  value: string;
  /** The company that is chosen already, where the page has its name. */
  known?: Named | null;
  onChange: (id: string) => void;
  placeholder: string;
  error?: string | undefined;
}

const pause_ms = 200;

/** One company, searched for while one types: the server finds it by a part of its name, or by an id or address in full. */
export function CompanyField({ known = null, ...field }: Props) {
  const { value, onChange } = field;
  const [text, setText] = useState('');
  const [picked, setPicked] = useState<Named | null>(null);
  const keyword = useSettled(text.trim(), pause_ms);
  const read = useCompanies(keyword);
  const found = read.data?.items ?? [];
  const named = [known, picked, ...found].find((one) => one?.id === value);
  const looked = useCompany(value, value !== '' && named === undefined);
  const chosen = named ?? looked;
  return (
    <ComboboxField
      {...field}
      options={found.map(optionOf)}
      known={chosen ? optionOf(chosen) : null}
      searching={keyword !== text.trim() || read.isFetching}
      onSearch={setText}
      onChange={(id) => {
        setPicked(found.find((one) => one.id === id) ?? null);
        onChange(id);
      }}
    />
  );
}

function optionOf({ id, name }: Named) {
  return { value: id, label: name };
}
