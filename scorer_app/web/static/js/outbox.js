// What this device has still to send: taps and photographs. They lie in the browser's own database
// until the server has them, so that neither a reload nor a restart of the browser loses any.

const DATABASE = "burako";
const STORE = "outbox";
const OPENING = 3000; // ms after which the page goes on without the database until it is open

/** Makes a key for something to send, by which the server recognises what it has already got. */
export function freshKey() {
  return crypto.getRandomValues(new Uint32Array(4)).join("-").slice(0, 40);
}

/** Names this browser: other ones do not go on with the melds that are tapped in here. */
export const BROWSER = browserName();

function browserName() {
  try {
    return (localStorage.burakoName ??= freshKey());
  } catch {
    return freshKey();
  }
}

/**
 * Opens the browser's database; null where the browser gives none, as some do in a private window.
 * @returns {Promise<IDBDatabase | null>}
 */
function openDatabase() {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open(DATABASE, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore(STORE, { keyPath: "key" }).createIndex("hand", "hand");
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(null);
    } catch {
      resolve(null);
    }
  });
}

export class Outbox {
  /** @param {number} patience ms after which nobody waits for the database any longer */
  constructor(patience = OPENING) {
    /** Whether entries outlive the page; known for certain once the database is open. */
    this.isKept = true;
    this.last = 0;
    /** @type {IDBDatabase | null} null before it is open, and where there is none */
    this.database = null;
    this.opening = openDatabase().then((database) => {
      this.database = database;
      this.isKept = database !== null;
    });
    const given = new Promise((resolve) => setTimeout(resolve, patience));
    this.ready = Promise.race([this.opening, given]).then(() => {
      this.isKept = this.database !== null;
    });
  }

  /**
   * Returns what waits for a hand, in the order in which it was put here.
   * @param {string} hand
   * @returns {Promise<Unsent[]>}
   */
  async of(hand) {
    /** @type {Unsent[]} */
    const found = (await this.store("readonly", (store) => store.index("hand").getAll(hand))) ?? [];
    this.last = Math.max(this.last, ...found.map(({ made }) => made));
    return inOrder(found);
  }

  /**
   * Calls `act` with what waits for a hand. On a slow device, whose database opens only after the
   * page went on without it, `act` is called once more then, with entries that were added
   * meanwhile. Settles after the first call.
   * @param {string} hand
   * @param {(waiting: Unsent[]) => void} act
   */
  async takeUp(hand, act) {
    const waiting = await this.of(hand); // asked for before anything is put there
    const isLate = this.database === null;
    act(waiting);
    if (isLate) void this.opening.then(async () => act(await this.of(hand)));
  }

  /** Returns how many entries wait for each hand, by its id, once the database is open. */
  async counts() {
    await this.opening;
    /** @type {Unsent[]} */
    const all = (await this.store("readonly", (store) => store.getAll())) ?? [];
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const { hand } of all) counts.set(hand, (counts.get(hand) ?? 0) + 1);
    return counts;
  }

  /**
   * @param {Omit<Unsent, "made">[]} entries
   */
  put(entries) {
    const made = entries.map((entry) => ({ ...entry, made: this.moment() }));
    return this.store("readwrite", (store) => made.forEach((entry) => store.put(entry)));
  }

  /**
   * Lets the photographs that wait for one hand wait for another one. Edits stay: they speak of
   * tiles that the other hand does not have.
   * @param {string} hand
   * @param {string} other
   */
  async move(hand, other) {
    const photos = (await this.of(hand)).filter(({ photo }) => photo);
    const moved = photos.map((entry) => ({ ...entry, hand: other }));
    return this.store("readwrite", (store) => moved.forEach((entry) => store.put(entry)));
  }

  /** @param {string[]} keys of what has arrived, was refused, or is let go */
  drop(keys) {
    return this.store("readwrite", (store) => keys.forEach((key) => store.delete(key)));
  }

  /**
   * Returns milliseconds since 1970, always more than the time before, and more than those of all
   * entries that were looked up.
   */
  moment() {
    this.last = Math.max(Date.now(), this.last + 1);
    return this.last;
  }

  /**
   * Runs an action on the database. Reading does not wait long for the database; writing is done as
   * soon as it is open, in order.
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => IDBRequest | void} act
   * @returns {Promise<any>} the result of the request that `act` returns
   */
  async store(mode, act) {
    await this.ready;
    if (mode !== "readonly") await this.opening;
    const database = this.database;
    if (!database) return undefined;
    return new Promise((resolve) => {
      const failed = () => {
        if (mode !== "readonly") this.isKept = false; // it waits in memory alone
        resolve(undefined);
      };
      const transaction = database.transaction(STORE, mode, { durability: "strict" });
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onabort = failed; // no room left
    });
  }
}

/**
 * @param {Unsent[]} entries
 * @returns {Unsent[]}
 */
function inOrder(entries) {
  return entries.toSorted((a, b) => a.made - b.made);
}

/**
 * Whether operations are the same as those before them and would do nothing more. Tiles and points
 * can be added several times.
 * @param {Operation[]} operations
 * @param {Operation[]} before
 */
export function isRepeated(operations, before) {
  const plain = (/** @type {Operation[]} */ some) =>
    JSON.stringify(some.map(({ key: _key, ...fields }) => fields));
  return !operations.some(({ op }) => op.startsWith("add_")) && plain(operations) === plain(before);
}

/**
 * Returns the operation that adds the tiles of another one without the last of them; null where it
 * adds one tile.
 * @param {Operation} added
 * @returns {Operation | null}
 */
export function lessOne({ key: _key, faces, ...added }) {
  const [first, ...others] = /** @type {Face[]} */ (faces ?? []).slice(0, -1);
  if (!first) return null;
  return others.length
    ? { ...added, faces: [first, ...others] }
    : { ...added, op: "add_tile", face: first };
}
