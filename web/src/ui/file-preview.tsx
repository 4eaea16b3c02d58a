import { type ReactNode, useEffect, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { ErrorState, Loading, Skeleton } from './states.tsx';

interface FilePreviewProps {
  name: string;
  /** As the server found it by the bytes: PDF, or a picture. */
  type: string;
  load: () => Promise<Blob>;
  actions: ReactNode;
  onClose: () => void;
}

/** A stored file, shown under an address of this page's own while it is open. */
export function FilePreview({ name, type, load, actions, onClose }: FilePreviewProps) {
  const { url, error, retry } = useFileUrl(type, load);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={name} wide actions={actions}>
      {error === null ? (
        <Loading loading={url === null} skeleton={<Skeleton height="h-96" />}>
          {url !== null &&
            (type === 'application/pdf' ? (
              <iframe src={url} title={name} className="h-[65vh] w-full rounded-6 border border-line" />
            ) : (
              <img src={url} alt={name} className="mx-auto max-h-[65vh] max-w-full rounded-6" />
            ))}
        </Loading>
      ) : (
        <ErrorState error={error} onRetry={retry} />
      )}
    </Dialog>
  );
}

/** Fetches the file with the session's header, once for each turn. */
function useFileUrl(
  type: string,
  load: () => Promise<Blob>,
): { url: string | null; error: unknown; retry: () => void } {
  const [state, setState] = useState<{ url: string | null; error: unknown }>({ url: null, error: null });
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn tries again; a preview is of one file
  useEffect(() => {
    let url: string | null = null;
    let gone = false;
    setState({ url: null, error: null });
    load().then(
      (blob) => {
        if (gone) return;
        url = URL.createObjectURL(new Blob([blob], { type }));
        setState({ url, error: null });
      },
      (error: unknown) => !gone && setState({ url: null, error }),
    );
    return () => {
      gone = true;
      if (url !== null) URL.revokeObjectURL(url);
    };
  }, [turn]);
  return { ...state, retry: () => setTurn((before) => before + 1) };
}
