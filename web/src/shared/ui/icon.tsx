/** Our own line icons on a 24 px grid; one path each, so that the whole set costs less than a library's first icon. */
const shapes = {
  home: 'M4 11.5 12 4l8 7.5V20h-5.5v-5.5h-5V20H4z',
  apps: 'M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 16.75h6.5M16.75 13.5V20',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 2.5-2.5L20 17M15.5 8.75h.01',
  jobs: 'M4 6h10M4 12h16M4 18h7M17 4.5v3M13 16.5v3',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5',
  bolt: 'M13 3 5.5 13.5H11L10 21l7.5-10.5H12z',
  close: 'M6 6l12 12M18 6 6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  fold: 'M15 6l-6 6 6 6',
  unfold: 'M9 6l6 6-6 6',
  up: 'M6 14.5l6-6 6 6',
  down: 'M6 9.5l6 6 6-6',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  copy: 'M8.5 8.5H20V20H8.5zM15.5 8.5V4H4v11.5h4.5',
  download: 'M12 4v11M7 10.5l5 5 5-5M4.5 20h15',
  dice: 'M4.5 4.5h15v15h-15zM8.75 8.75h.01M15.25 8.75h.01M12 12h.01M8.75 15.25h.01M15.25 15.25h.01',
  pin: 'M12 21v-6M8 3.5h8l-1 6.5 3 5H6l3-5z',
  upload: 'M12 15.5V4.5M7 9.5l5-5 5 5M4.5 20h15',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l.8 13h8.4L17 7M10.5 11v5M13.5 11v5',
  globe:
    'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM3.5 12h17M12 3.5c2.6 2.3 3.8 5.1 3.8 8.5s-1.2 6.2-3.8 8.5c-2.6-2.3-3.8-5.1-3.8-8.5S9.400 5.800 12 3.5Z',
  lock: 'M6 11h12v9.5H6zM8.500 11V7.500a3.500 3.500 0 0 1 7 0V11',
  eye: 'M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  heart:
    'M12 20S4 15 4 9.200C4 6.500 6 4.500 8.400 4.500c1.500 0 2.800.8 3.600 2 .8-1.200 2.100-2 3.600-2C18 4.500 20 6.500 20 9.200 20 15 12 20 12 20Z',
  key: 'M8 15.500a4 4 0 1 1 3.800-5.200L20.500 10.300V14h-3v-2h-1.500v2h-3v-1.700h-1.200A4 4 0 0 1 8 15.500ZM8 11.500h.01',
  warning: 'M12 4 2.800 19.500h18.400zM12 10v4.500M12 17h.01',
  reset: 'M5 5v5h5M5.500 10A7.500 7.500 0 1 1 4.500 14',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  open: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  search: 'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13ZM15.500 15.500 20 20',
  share: 'M12 14V4M8 7.500 12 3.500l4 4M6 11H4.500v9.500h15V11H18',
  book: 'M12 6.500C10 5 7.500 4.500 4 4.500v13.500c3.500 0 6 .5 8 2 2-1.500 4.500-2 8-2V4.500c-3.500 0-6 .5-8 2ZM12 6.500V20',
  megaphone: 'M4 10v4.500h3l7 4.500V5.500L7 10zM17.500 9.500a4 4 0 0 1 0 5.500M8.500 15l1 5h2.500l-1-3.500',
  keyboard: 'M3 6.500h18v11H3zM7 10h.01M11 10h.01M15 10h.01M17.500 10h.01M7.500 14h9',
  wand: 'M5 19 14.500 9.500M17 4v4M15 6h4M19.500 12v3M18 13.500h3M9.500 4v3M8 5.500h3',
  video: 'M4 6h11.500v12H4zM15.500 10.500 20.500 7.500v9l-5-3z',
  gallery: 'M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z',
  shield: 'M12 3.500 5 6v5.500c0 4.500 3 7.500 7 9 4-1.500 7-4.500 7-9V6z',
  pencil: 'M4.500 19.500h4L19 9l-4-4L4.500 15.500zM12.500 7.500l4 4',
  mail: 'M3.500 5.500h17v13h-17zM3.500 6.500 12 13l8.500-6.500',
  link: 'M10 13.500a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.700-5.700l-1.500 1.500M14 10.500a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.700 5.700l1.500-1.500',
  camera: 'M4 7.500h4L9.500 5h5L16 7.500h4v12H4zM12 16.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7Z',
  hidden:
    'M3.500 3.500l17 17M10 5.700A9 9 0 0 1 12 5.500c6 0 9.500 6.500 9.500 6.500a16 16 0 0 1-3 3.700M6.500 7A15.500 15.500 0 0 0 2.500 12S6 18.500 12 18.500a9 9 0 0 0 4.500-1.200M10 10a3 3 0 0 0 4 4',
  clock: 'M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17ZM12 7.500V12l3 2',
  out: 'M14 4h6v16h-6M4 12h11M11 8l4 4-4 4',
} as const

export type IconName = keyof typeof shapes

/** A decorative icon: the control that holds it carries the text. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      aria-hidden="true"
      focusable="false"
      style={{ flex: 'none' }}
    >
      <path d={shapes[name]} stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
