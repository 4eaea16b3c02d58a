export { useControlMode } from './api.ts';
export { ChangeLink } from './components/change-link.tsx';
export { ControlNote } from './components/control-note.tsx';
export { PendingChanges } from './components/pending-changes.tsx';
export { StopChange } from './components/stop-change.tsx';
export { useTellChange } from './told.ts';
