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
  out: 'M14 4h6v16h-6M4 12h11M11 8l4 4-4 4',
  workflow: 'M3.500 5h6v5h-6zM14.500 14h6v5h-6zM14.500 5h6v5h-6zM9.500 7.500h5M12 7.500v9h2.500',
  search: 'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13ZM15.300 15.300 20 20',
  dots: 'M12 5.500h.01M12 12h.01M12 18.500h.01',
  share:
    'M15 5.500a2.500 2.500 0 1 0 5 0 2.500 2.500 0 0 0-5 0ZM4 12a2.500 2.500 0 1 0 5 0 2.500 2.500 0 0 0-5 0ZM15 18.500a2.500 2.500 0 1 0 5 0 2.500 2.500 0 0 0-5 0ZM8.700 10.800l6.600-4M8.700 13.200l6.600 4',
  edit: 'M4.500 19.500l1-4.500L16.500 4l3.500 3.500L9 18.500zM14 6.500 17.500 10',
  play: 'M7 4.500 19 12 7 19.500z',
  plus: 'M12 5v14M5 12h14',
  tag: 'M4 4h8l8 8-8 8-8-8zM8.500 8.500h.01',
  eyeOff:
    'M4 4l16 16M9.900 5.800A9.500 9.500 0 0 1 12 5.500c6 0 9.500 6.500 9.500 6.500a16 16 0 0 1-3 3.700M6.300 7.600C3.900 9.300 2.500 12 2.500 12S6 18.500 12 18.500c1.600 0 3-.4 4.200-1M9.900 9.900a3 3 0 0 0 4.200 4.200',
  star: 'M12 3.500l2.600 5.400 5.900.8-4.300 4.100 1 5.900-5.200-2.800-5.200 2.800 1-5.900-4.300-4.100 5.900-.8z',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  bold: 'M7 5h6a3.500 3.500 0 0 1 0 7H7zM7 12h7a3.500 3.500 0 0 1 0 7H7z',
  italic: 'M10 5h8M6 19h8M14.500 5l-5 14',
  underline: 'M7 4.500v6.500a5 5 0 0 0 10 0V4.500M6 20h12',
  link: 'M10 14a4 4 0 0 0 6 .3l3-3a4 4 0 0 0-5.700-5.700l-1.300 1.300M14 10a4 4 0 0 0-6-.3l-3 3a4 4 0 0 0 5.700 5.700l1.300-1.300',
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
