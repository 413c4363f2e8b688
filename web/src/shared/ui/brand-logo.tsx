/** The logo of Verdigraph: two seeds and what grows from them. */
export function BrandLogo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true" style={{ flex: 'none' }}>
      <path
        d="M8 9.500 16 23 24 9.500"
        stroke="var(--accent)"
        strokeWidth="2.600"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="8" cy="9.500" r="3.200" fill="var(--accent)" />
      <circle cx="24" cy="9.500" r="3.200" fill="var(--page)" stroke="var(--accent)" strokeWidth="2.200" />
      <circle cx="16" cy="23" r="3.200" fill="var(--accent)" />
    </svg>
  )
}
