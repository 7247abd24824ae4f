import './icons.css'

/** Lines on a grid of 24 × 24. */
const lines = {
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M5 20c0-3.5 3-6 7-6s7 2.5 7 6',
  archive: 'M4 5h16v4H4zM6 9v10h12V9M10 13h4',
  bank: 'M4 9l8-5 8 5zM6 9v8M10 9v8M14 9v8M18 9v8M4 20h16',
  bell: 'M6 16v-5a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  book: 'M12 6c-2-1.5-5-2-8-2v14c3 0 6 .5 8 2 2-1.5 5-2 8-2V4c-3 0-6 .5-8 2zM12 6v14',
  box: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  card: 'M3 6h18v12H3zM3 10h18M7 15h4',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  code: 'M9 7l-5 5 5 5M15 7l5 5-5 5',
  columns: 'M4 5h16v14H4zM9.5 5v14M14.5 5v14',
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  down: 'M6 9.5l6 6 6-6',
  download: 'M12 4v11M7.5 10.5L12 15l4.5-4.5M4 20h16',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  filter: 'M4 6h16M7 12h10M10 18h4',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  inbox: 'M4 13l3-8h10l3 8v6H4zM4 13h4.5c0 2 1.5 3 3.5 3s3.5-1 3.5-3H20',
  keyboard: 'M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8',
  leave: 'M14 4H5v16h9M10 12h10M16.5 8.5L20 12l-3.5 3.5',
  more: 'M5 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2M12 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2M19 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20c0-3.5 2.5-6 6.5-6s6.5 2.5 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2.2.8 3.5 2.8 3.5 5.5',
  plus: 'M12 5v14M5 12h14',
  reference: 'M5 4h14v16H5zM9 8h6M9 12h6M9 16h3',
  retry: 'M19 12a7 7 0 1 1-2-5M19 4v4h-4',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M16 16l4.5 4.5',
  settings: 'M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4M4 12h16',
  shield: 'M12 3l7 3v5c0 4.5-3 8-7 10-4-2-7-5.5-7-10V6z',
  shop: 'M4 9l1.5-5h13L20 9M4 9c0 3 4 3 4 0 0 3 4 3 4 0 0 3 4 3 4 0 0 3 4 3 4 0M5.5 12v8h13v-8M10 20v-5h4v5',
  sort: 'M8 10l4-4 4 4M8 14l4 4 4-4',
  sortDown: 'M12 5v14M7 14l5 5 5-5',
  sortUp: 'M12 19V5M7 10l5-5 5 5',
  team: 'M8 12a3 3 0 1 0 0-6 3 3 0 0 0 0 6M16 12a3 3 0 1 0 0-6 3 3 0 0 0 0 6M2.5 19c0-3 2-5 5.5-5 1.6 0 3 .5 4 1.3 1-.8 2.4-1.3 4-1.3 3.5 0 5.5 2 5.5 5',
  upload: 'M12 15V4M7.5 8.5L12 4l4.5 4.5M4 20h16',
} as const

export type IconName = keyof typeof lines

/** An icon beside its words: screen readers skip it. A button with only an icon needs an `aria-label`. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={lines[name]} />
  </svg>
)
