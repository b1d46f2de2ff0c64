// What lists the screens outside the page: a command and a document.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SCREENS as OPENED } from '../../cli/page/screens.ts'
import { rootOf, SCREENS } from '../../web/routes.ts'
import { root } from '../support/root.ts'

test('lists every screen for svc open', () => {
  expect(OPENED.map((screen) => `/${screen}`)).toEqual(SCREENS.map(rootOf))
})

test('lists every screen with its keys in docs/page.md', () => {
  const page = readFileSync(join(root, 'docs', 'page.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(\/\w+)` \| `g (\w)` \|/gm)].map(([, path, key]) => [path, key])
  expect(rows).toEqual(SCREENS.map((screen) => [rootOf(screen), screen.key]))
})
