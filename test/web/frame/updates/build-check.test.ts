import { expect, test } from 'vitest'
import { isOutdated } from '../../../../web/frame/updates/build-check.ts'

const build = { script: 'http://127.0.0.1:17000/ui/assets/index-a1b2.js', page: '/ui/' }
const served = (script: string) => async () => ({ ok: true, text: async () => `<script src="/ui/assets/${script}">` })

test('finds that a newer daemon serves another page', async () => {
  expect(await isOutdated(build, served('index-c3d4.js'))).toBe(true)
  expect(await isOutdated(build, served('index-a1b2.js'))).toBe(false)
})

test('says nothing while the page cannot be read', async () => {
  const failed = async () => {
    throw new Error('down')
  }
  expect(await isOutdated(build, failed)).toBe(false)
  expect(await isOutdated(build, async () => ({ ok: false, text: async () => '' }))).toBe(false)
})
