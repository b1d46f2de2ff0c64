import { expect, test } from 'vitest'
import { remoteAddress } from '../../../../services/conductor/clone/remote-address.ts'
import { forever } from './clone-fixture.ts'

const addressOf = (remote: string, given: { cloneUrl?: string | null; name?: string } = {}) => {
  const { cloneUrl = null, name = 'shop' } = given
  return remoteAddress({ owner: 'acme', name, remote, cloneUrl: async () => cloneUrl }, forever)
}

test.each([
  ['https://git.example/{owner}/{name}.git', 'https://git.example/acme/shop.git'],
  ['ssh://git@git.example:2222/{owner}/{name}', 'ssh://git@git.example:2222/acme/shop'],
  ['git@git.example:{owner}/{name}.git', 'ssh://git@git.example/acme/shop.git'],
  ['file:///srv/{owner}/{name}', 'file:///srv/acme/shop'],
])('puts owner and name into %s', async (remote, address) => {
  expect(await addressOf(remote, { cloneUrl: 'https://other.example/x.git' })).toBe(address)
})

test('uses the address of the forge if it is https', async () => {
  const cloneUrl = 'https://github.com/acme/shop.git'
  expect(await addressOf('', { cloneUrl })).toBe(cloneUrl)
})

test.each([null, 'file:///srv/shop.git', 'ssh://git@git.example/shop', 'http://git.example/shop.git'])(
  'rejects the address %s of the forge',
  async (cloneUrl) => {
    await expect(addressOf('', { cloneUrl })).rejects.toThrow(/no https address .*: set SVC_CONDUCTOR_REMOTE/)
  },
)

test.each([
  ['ext::sh -c true', /not by ext:/],
  ['git://git.example/shop', /not by git:/],
  ['https://me:word@git.example/{name}', /contains a password/],
  ['https://git.example/{name}#main', /must not contain "#"/],
])('rejects the setting %s', async (remote, message) => {
  await expect(addressOf(remote)).rejects.toThrow(message)
})

test.each(['..', 'a/b', '', 'a b', '-x\n'])('rejects the name %j of a repository', async (name) => {
  await expect(addressOf('file:///srv/{owner}/{name}', { name })).rejects.toThrow(/expected owner\/name/)
})
