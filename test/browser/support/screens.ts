import { join } from 'node:path'
import { root } from '../../support/root.ts'

interface ScreenFacts {
  path: string
  title: string
  /** Letter after `g` that opens it. */
  key: string
}

// Not a static import: the types of the page need the DOM.
const { SCREENS } = (await import(join(root, 'web', 'routes.ts'))) as { SCREENS: readonly ScreenFacts[] }

/** The screens of the page: address without parameters, heading and key. */
export const screens = SCREENS.map(({ path, title, key }) => ({ path: `/${path.split('/')[1]}`, title, key }))
