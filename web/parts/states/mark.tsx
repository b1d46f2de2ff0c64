import { markOf, type Sides } from './sides.ts'

/** The three-side mark. `bare`: without a tone, for text that has one. */
export function SidesMark({ sides, bare = false }: { sides: Sides; bare?: boolean }) {
  const { squares, joins, tone, words } = markOf(sides)
  return (
    <svg className={bare ? 'sides' : `sides c-${tone}`} viewBox="0 0 34 12" role="img" aria-label={words}>
      {squares.map((square, index) => (
        <rect
          key={index}
          className={square === 'filled' ? 'on' : undefined}
          x={1 + 12 * index}
          y="2"
          width="8"
          height="8"
          strokeDasharray={square === 'dashed' ? '2 2' : undefined}
        />
      ))}
      {joins.map((joined, index) => joined && <path key={index} d={`M${9 + 12 * index} 6h4`} />)}
    </svg>
  )
}

export function Brand() {
  return <SidesMark sides={{ desired: true, live: true }} bare />
}
