import type { ShapeName } from './states.ts'

/** A path in a square of 14 units. */
export interface Stroke {
  d: string
  /** Filled instead of stroked. */
  filled?: boolean
  /** Default 1.5. */
  width?: number
  dashed?: boolean
  /** Drawn in the colour of the ground, on a filled shape. */
  ground?: boolean
}

const ring = (x: number, r: number) => `M${x - r} 7a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0z`
const dot = (x: number): Stroke => ({ d: ring(x, 1.5), filled: true })

export const SHAPES: Record<ShapeName, readonly Stroke[]> = {
  circle: [{ d: ring(7, 5), filled: true }],
  'half-circle': [{ d: ring(7, 5) }, { d: 'M7 2a5 5 0 0 1 0 10z', filled: true }],
  diamond: [{ d: 'M7 1l6 6-6 6-6-6z', filled: true }],
  'hollow-diamond': [{ d: 'M7 1.5l5.5 5.5L7 12.5 1.5 7z' }],
  bars: [{ d: 'M4 2v10M10 2v10', width: 2.4 }],
  triangle: [{ d: 'M7 1.5l6 11H1z' }, { d: 'M7 5.5v3.5M7 10.2v1' }],
  tick: [{ d: 'M2 7.5l3.5 3.5L12 3.5', width: 1.8 }],
  'hollow-circle': [{ d: ring(7, 5) }],
  unequal: [{ d: 'M1.5 5h11M1.5 9h11M10 1.5l-6 11', width: 1.8 }],
  'crossed-square': [
    { d: 'M1.5 1.5h11v11h-11z', filled: true },
    { d: 'M4.5 4.5l5 5m0-5l-5 5', width: 1.6, ground: true },
  ],
  lock: [{ d: 'M2 6h10v6.5H2zM4 6V4a3 3 0 0 1 6 0v2' }],
  'dashed-circle': [{ d: ring(7, 5), dashed: true }],
  speech: [{ d: 'M2 2h10v8H7l-3 2.5V10H2z' }],
  plus: [{ d: 'M7 2v10M2 7h10', width: 2 }],
  minus: [{ d: 'M2 7h10', width: 2 }],
  tilde: [{ d: 'M1.5 8.5c2-4 4-3 5.5-1.5s3.5 2.5 5.5-1.5', width: 1.8 }],
  'round-arrow': [{ d: 'M11.5 4.5a5 5 0 1 0 .5 3.5M12 1.5v3.5h-3.5', width: 1.6 }],
  'outward-arrows': [{ d: 'M5.5 7h-4m2-2.5L1 7l2.5 2.5M8.5 7h4m-2-2.5L13 7l-2.5 2.5' }],
  'double-chevron': [{ d: 'M2 2.5L6.5 7 2 11.5M7.5 2.5L12 7l-4.5 4.5' }],
  'three-dots': [dot(2.5), dot(7), dot(11.5)],
  'two-in-pill': [dot(5), dot(9), { d: 'M4.5 3.5h5a3.5 3.5 0 0 1 0 7h-5a3.5 3.5 0 0 1 0-7z' }],
  'one-in-ring': [dot(7), { d: ring(7, 5) }],
}
