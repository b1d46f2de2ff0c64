import { expect, test } from 'vitest'
import { forgeToken, withTrimmedTokens } from '../../../platform/forge/token.ts'

test.each([
  [{}, null],
  [{ SVC_FORGE_TOKEN: '', GITHUB_TOKEN: '' }, null],
  [{ SVC_FORGE_TOKEN: '\n' }, null],
  [{ GITHUB_TOKEN: 'b' }, 'b'],
  [{ SVC_FORGE_TOKEN: '\n', GITHUB_TOKEN: 'b' }, 'b'],
  [{ SVC_FORGE_TOKEN: '', GITHUB_TOKEN: 'b' }, 'b'],
  [{ SVC_FORGE_TOKEN: 'a', GITHUB_TOKEN: 'b' }, 'a'],
  [{ SVC_FORGE_TOKEN: ' a\r\n' }, 'a'],
])('reads the token of %j', (env, token) => {
  expect(forgeToken(env)).toBe(token)
})

test.each(['SVC_FORGE_TOKEN', 'GITHUB_TOKEN'])('refuses white space in %s without showing it', (name) => {
  for (const token of ['secret more', 'secret\nmore', 'secret\tmore']) {
    expect(() => forgeToken({ [name]: token })).toThrow(
      `${name} has a space or line break inside: set it to the token alone`,
    )
  }
})

test('gives programs the token without the line break at its end', () => {
  expect(withTrimmedTokens({ HOME: '/h', SVC_FORGE_TOKEN: 'a\n' })).toEqual({ HOME: '/h', SVC_FORGE_TOKEN: 'a' })
})
