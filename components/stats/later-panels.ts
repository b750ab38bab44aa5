import { lazy } from 'react';

/** The panels below the window: their code is loaded after the page works, when the reader comes near them. */
export const LatencyPanel = lazy(async () => ({ default: (await import('./latency-panel.tsx')).LatencyPanel }));
export const LoadPanel = lazy(async () => ({ default: (await import('./replica-panels.tsx')).LoadPanel }));
export const ReplicaPanel = lazy(async () => ({ default: (await import('./replica-panels.tsx')).ReplicaPanel }));
export const DecisionsPanel = lazy(async () => ({ default: (await import('./ending-panels.tsx')).DecisionsPanel }));
export const ErrorsPanel = lazy(async () => ({ default: (await import('./ending-panels.tsx')).ErrorsPanel }));
export const AdmissionPanel = lazy(async () => ({ default: (await import('./admission-panel.tsx')).AdmissionPanel }));
