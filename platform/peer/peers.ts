// Identity of the peer process, looked up on demand and cached per connection.
import { connect, createServer, Socket, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { ConnectionList, type Found } from './connections.ts'
import { Holders, Lineages, type Lineage } from './processes.ts'

/** `here`: an in-process request without a connection. */
export type Peer = { uid: number; inode: number } | 'unknown' | 'gone' | 'here'

/** A read can miss a row while the table changes. */
const READINGS = 3

export class Peers {
  readonly #list: ConnectionList
  readonly #peers = new WeakMap<object, Promise<Peer>>()
  readonly #holders = new Holders()
  readonly #known = new Lineages()
  readonly #lineages = new WeakMap<object, Promise<Lineage | 'unknown' | 'gone'>>()

  constructor(list = new ConnectionList()) {
    this.#list = list
  }

  /** Returns the user at the other end. */
  of(socket: object): Promise<Peer> {
    return remember(this.#peers, socket, () =>
      socket instanceof Socket ? this.#find(socket) : Promise.resolve('here'),
    )
  }

  /** Returns the ancestry of the peer process; `unknown` also if access is denied. */
  lineageOf(socket: object): Promise<Lineage | 'unknown' | 'gone'> {
    return remember(this.#lineages, socket, async () => {
      const peer = await this.of(socket)
      if (peer === 'gone') return 'gone'
      if (typeof peer === 'string') return 'unknown'
      const holder = await this.#holders.of(peer.inode)
      if (holder !== null) return this.#known.of(holder)
      // Closed meanwhile, or held by a process that we cannot inspect.
      return (await this.#find(socket as Socket)) === 'gone' ? 'gone' : 'unknown'
    })
  }

  async #find(socket: Socket): Promise<Peer> {
    let found: Found = 'gone'
    for (let reading = 0; reading < READINGS && found === 'gone'; reading++) {
      const { remoteAddress, remotePort, localAddress, localPort } = socket
      if (socket.destroyed || remoteAddress === undefined || localAddress === undefined) return 'gone'
      const theirs = { address: remoteAddress, port: remotePort! }
      found = await this.#list.find(theirs, { address: localAddress, port: localPort! })
    }
    return found
  }
}

/** Caches results, but not failures. */
function remember<T>(known: WeakMap<object, Promise<T>>, key: object, look: () => Promise<T>): Promise<T> {
  let found = known.get(key)
  if (found === undefined) {
    found = look()
    known.set(key, found)
    found.catch(() => known.delete(key))
  }
  return found
}

/** Tests with a loopback connection whether the system reports peers. */
export async function canIdentifyPeers(list = new ConnectionList()): Promise<boolean> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [socket] = (await once(server, 'connection')) as [Socket]
  const peer = await new Peers(list).of(socket)
  for (const each of [client, socket]) each.destroy()
  server.close()
  return typeof peer !== 'string'
}
