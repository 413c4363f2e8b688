import { useId } from 'react'
import type { SimpleAppAddress } from '@/shared/api/types'

type ArtProps = { address: SimpleAppAddress; className?: string | undefined }

/** A drawing of what a simple app does. */
export function SimpleAppArt({ address, className }: ArtProps) {
  const id = useId()
  const Drawing = DRAWINGS[address]
  return (
    <svg
      className={className}
      viewBox="0 0 320 200"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      focusable="false"
      role="presentation"
    >
      <defs>
        <linearGradient id={`${id}-sky`} x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#2a3f6f" />
          <stop offset="0.55" stopColor="#8a4f7d" />
          <stop offset="1" stopColor="#f0a068" />
        </linearGradient>
        <linearGradient id={`${id}-body`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#ffe0bd" />
          <stop offset="1" stopColor="#e8a87c" />
        </linearGradient>
        <pattern id={`${id}-check`} width="20" height="20" patternUnits="userSpaceOnUse">
          <rect width="20" height="20" fill="#2e2e2e" />
          <path d="M0 0h10v10H0zM10 10h10v10H10z" fill="#454545" />
        </pattern>
      </defs>
      <Drawing id={id} />
    </svg>
  )
}

const fill = (id: string, name: string) => `url(#${id}-${name})`

function Person({ id, x }: { id: string; x: number }) {
  return (
    <g transform={`translate(${x} 0)`}>
      <path d="M-62 200c4-46 30-66 62-66s58 20 62 66z" fill="#3d8f7c" />
      <path d="M-16 118h32v26c-8 10-24 10-32 0z" fill="#d99a6c" />
      <ellipse cx="0" cy="88" rx="34" ry="42" fill={fill(id, 'body')} />
      <path d="M-38 84c-6-48 20-62 38-62s44 12 38 62c-6-22-16-34-38-34s-32 12-38 34z" fill="#2b2230" />
    </g>
  )
}

function Cutout({ id }: { id: string }) {
  return (
    <>
      <rect width="320" height="200" fill={fill(id, 'check')} />
      <path d="M0 0h160v200H0z" fill={fill(id, 'sky')} />
      <circle cx="56" cy="58" r="24" fill="#ffd9a0" opacity="0.85" />
      <path d="M0 156l46-40 40 34 34-26 40 34v42H0z" fill="#1c2743" opacity="0.7" />
      <Person id={id} x={160} />
      <path d="M160 0v200" stroke="#f2f2f2" strokeWidth="2" />
      <circle cx="160" cy="168" r="14" fill="#111" stroke="#5dffb1" strokeWidth="2" />
      <path d="M156 162l-6 6 6 6M164 162l6 6-6 6" fill="none" stroke="#5dffb1" strokeWidth="2" />
    </>
  )
}

function Faces({ id }: { id: string }) {
  return (
    <>
      <rect width="320" height="200" fill="#1d2430" />
      <path d="M0 0h160v200H0z" fill={fill(id, 'sky')} />
      <Person id={id} x={80} />
      <Person id={id} x={240} />
      <ellipse cx="80" cy="94" rx="25" ry="31" fill="none" stroke="#5dffb1" strokeWidth="2" strokeDasharray="5 4" />
      <ellipse cx="240" cy="94" rx="25" ry="31" fill="none" stroke="#5dffb1" strokeWidth="2" strokeDasharray="5 4" />
      <circle cx="160" cy="94" r="20" fill="#111" stroke="#5dffb1" strokeWidth="2" />
      <path d="M151 89h18l-5-5M169 99h-18l5 5" fill="none" stroke="#5dffb1" strokeWidth="2" />
    </>
  )
}

function Words({ id }: { id: string }) {
  const lines = [118, 96, 110, 72]
  return (
    <>
      <rect width="320" height="200" fill="#1a1a1a" />
      <g transform="translate(22 34)">
        <rect width="132" height="132" rx="10" fill={fill(id, 'sky')} />
        <circle cx="38" cy="38" r="16" fill="#ffd9a0" opacity="0.9" />
        <path
          d="M0 104l40-38 30 28 26-22 36 32v18a10 10 0 0 1-10 10H10a10 10 0 0 1-10-10z"
          fill="#1c2743"
          opacity="0.75"
        />
      </g>
      <g transform="translate(178 52)">
        {lines.map((width, at) => (
          <rect key={width} y={at * 24} width={width} height="10" rx="5" fill={at === 0 ? '#5dffb1' : '#5a5a5a'} />
        ))}
        <path d={`M${(lines.at(-1) ?? 0) + 8} 68v18`} stroke="#5dffb1" strokeWidth="2" />
      </g>
    </>
  )
}

const DRAWINGS = { 'background-remover': Cutout, 'face-swap': Faces, 'image-to-prompt': Words }
