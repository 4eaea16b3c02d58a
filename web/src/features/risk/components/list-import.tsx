import { type ListKind, maxImportRows } from '@causeway/contract/risk-rules.ts';
import { useRouter } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { messageOf, reportError } from '../../../lib/report-error.ts';
import { Button } from '../../../ui/button.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { Banner } from '../../../ui/states.tsx';
import { ControlNote, useTellChange } from '../../control/index.ts';
import { sendImport } from '../api.ts';
import { saveTemplate } from '../import-template.ts';
import { listPaths } from '../words.ts';
import { CsvDrop } from './csv-drop.tsx';
import { type ImportAnswer, ImportRows } from './import-rows.tsx';

/** What is under way: a share of the file that has left, from 0 to 1. */
interface Sending {
  dryRun: boolean;
  share: number;
}

/** Choose a file, see row by row what would happen, then import all of it or none. */
export function ListImport({ kind }: { kind: ListKind }) {
  const t = useText();
  const router = useRouter();
  const formats = useFormats();
  const tell = useTellChange();
  const [file, setFile] = useState<File | null>(null);
  const [answer, setAnswer] = useState<ImportAnswer | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [sending, setSending] = useState<Sending | null>(null);
  const round = useRef(0);

  async function run(chosen: File, dryRun: boolean): Promise<void> {
    round.current += 1;
    const mine = round.current;
    setProblem(null);
    setSending({ dryRun, share: 0 });
    try {
      const onProgress = (share: number) => round.current === mine && setSending({ dryRun, share });
      const result = await sendImport(kind, chosen, dryRun, { onProgress });
      if (round.current !== mine) return;
      setAnswer(result);
      if (!dryRun) {
        tell(result, t('risk.added'));
        router.history.push(`${listPaths[kind]}${router.state.location.searchStr}`);
      }
    } catch (error) {
      if (round.current !== mine) return;
      if (error instanceof ApiError && error.status !== 401) setProblem(messageOf(error));
      else reportError(error);
    } finally {
      if (round.current === mine) setSending(null);
    }
  }

  function choose(chosen: File): void {
    setFile(chosen);
    setAnswer(null);
    void run(chosen, true);
  }

  return (
    <div className="flex flex-col gap-5">
      <p className="m-0 text-muted">{t('risk.import.text', { most: formats.count(maxImportRows) })}</p>
      <div>
        <Button icon="download" onClick={() => saveTemplate(kind, t)}>
          {t('risk.import.template')}
        </Button>
      </div>
      <CsvDrop file={file} disabled={sending !== null} onChoose={choose} />
      {sending !== null && <Progress sending={sending} rows={answer?.accepted ?? null} />}
      {problem !== null && <Banner kind="negative">{problem}</Banner>}
      {answer !== null && <ImportRows kind={kind} answer={answer} />}
      {answer !== null && kind === 'white' && <ControlNote permission="list.manage" />}
      {answer !== null && file !== null && (
        <div className="flex justify-end">
          <Button
            kind="primary"
            disabled={answer.refused > 0 || answer.accepted === 0}
            busy={sending !== null}
            onClick={() => void run(file, false)}
          >
            {t('risk.import.confirm', { count: answer.accepted })}
          </Button>
        </div>
      )}
    </div>
  );
}

function Progress({ sending: { dryRun, share }, rows }: { sending: Sending; rows: number | null }) {
  const t = useText();
  const formats = useFormats();
  const label = dryRun ? t('risk.import.checking') : t('risk.import.importing', { count: rows ?? 0 });
  if (share === 1) return <ProgressBar label={label} done={null} figure={t('risk.import.working')} />;
  const percent = Math.floor(share * 100);
  return <ProgressBar label={label} done={percent} figure={formats.progress(percent / 100)} />;
}
