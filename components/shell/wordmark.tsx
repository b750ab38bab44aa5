/** The name and its mark: a turn that leaves and comes back to its home. */
export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2 font-semibold tracking-tight">
      <svg aria-hidden="true" viewBox="0 0 24 24" fill="none" className="size-6">
        <rect width="24" height="24" rx="6" className="fill-ink" />
        <path
          d="M6 6.5v9a2 2 0 0 0 2 2h5.5a4.25 4.25 0 0 0 0-8.5H11"
          className="stroke-canvas"
          strokeWidth="2.2"
          strokeLinecap="round"
        />
        <circle cx="11" cy="9" r="2.4" className="fill-cached" />
      </svg>
      <span className="rail-label">LM Warden</span>
    </span>
  );
}
