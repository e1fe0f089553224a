// What the server sends to the page, and what the parts of the page hand to each other. It is for
// the type checker alone: no browser loads this file, and the scripts name its types in comments.

type Side = "A" | "B";
type Place = "melds" | "rack" | "pozo";
/** A tile's face as the server writes it: number and colour letter, "7R", or "J", the comodín. */
type Face = string;
/** A hand names its tiles "t1", "t2", a watched table counts them. */
type TileId = string | number;
/** x and y, in pixels of the picture. */
type Point = [number, number];
/** Top left, top right, bottom right, bottom left, in the tile's own reading direction. */
type Corners = Point[];
type Size = [width: number, height: number];
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

// --- a hand, as /api/hands/ID answers ---

interface TileView {
  face: Face | null;
  photo: string | null;
  corners: Corners | null;
  /** What the photograph was read as, however it was corrected later. */
  read: Face | null;
  doubtful: boolean;
  perhaps_none: boolean;
  /** If it is a tile, it surely has the face that was read; only of what may be none. */
  face_sure?: boolean;
  /** A person has said what it is. */
  settled: boolean;
  /** A person added it, and no reading of a photograph. */
  added: boolean;
  /** The likeliest readings, best first. */
  likely: Face[];
  /** What was said of it has not reached the server yet. */
  waiting?: boolean;
}

interface Verdict {
  /** null while a tile of the row is unread. */
  valid: boolean | null;
  text: string;
  canasta?: string | null;
  points?: number;
  notices?: string[];
}

/** One edit that may put a row right. */
interface Repair {
  kind: string;
  /** The tile that it is about, where it is about one. */
  tile: string | null;
  edit: Operation;
  text: string;
}

interface RowView {
  id: string;
  side: Side;
  place: Place;
  tiles: string[];
  accepted: boolean;
  verdict: Verdict | null;
  /** The browser on which the meld was begun by taps; absent where none is known. */
  by?: string;
  points?: number;
  /** What may put it right, the likeliest first. */
  repairs?: Repair[];
  /** It has not reached the server yet. */
  waiting?: boolean;
}

interface PhotoView {
  id: string;
  side: Side;
  place: Place;
  state: "queued" | "reading" | "read" | "failed";
  width: number | null;
  height: number | null;
  url: string | null;
  text: string;
  can_retry: boolean;
  can_move: boolean;
  /** Whether it stands for the melds of a watched table. */
  of_table: boolean;
  notices: string[];
}

interface ScoreLine {
  kind: string;
  label: string;
  points: number;
  part: "base" | "puntos" | "adjustment";
  tiles: string[];
  id: string | null;
}

type Interval = [low: number, high: number];

interface SideScore {
  name: string;
  lines: ScoreLine[];
  base: number;
  puntos: number;
  total: number;
  interval: Interval;
}

interface Closing {
  end: "close" | "stock_exhausted" | null;
  closed_by: Side | null;
  muerto: Record<Side, boolean | null>;
  unplayed: Side[];
  /** Whether a muerto that was taken and not played costs points by the rules of the match. */
  unplayed_costs: boolean;
}

interface Question {
  ask:
    | ("tile" | "copies" | "tapped" | "twice" | "again" | "photo" | "row")
    | ("end" | "muerto" | "closing" | "rack");
  /** Points by which the answer can move the score. */
  effect: number;
  /** The hand cannot be saved without an answer. */
  needed: boolean;
  /** A tile, row, photograph, face, side or reason, as `ask` has it. */
  subject: string;
  tiles: string[];
  /** The photograph that the subject seems to be once more. */
  duplicate_of: string | null;
  /** The answers that the rules allow, where not all are. */
  choices: string[];
  /** Why a photograph is asked about; null for other questions. */
  cause: "failed" | "other_pieces" | "nothing" | "aside" | "blurred" | "doubtful" | null;
  text: string;
}

interface HandView {
  id: string;
  match: string;
  /** What the match is played with. */
  pieces: "tiles" | "cards";
  version: number;
  state: "draft" | "saved" | "undone";
  /** When it was saved last; null before the first time. */
  saved: string | null;
  /** Whether corrections of what was saved are still to be saved. */
  corrected: boolean;
  /** Whether it was thrown away before it was ever saved: nothing is noted in it any more. */
  discarded: boolean;
  /** Whether what was saved has points; empty where the hand is not saved. */
  counts: "" | "some" | "none";
  /** The number of the hand in its match. */
  position: number;
  tiles: Record<string, TileView>;
  removed: { read: Face; photo: string }[];
  /** Of each photograph the tiles that its area had before it. */
  repeats: Record<string, string[]>;
  rows: RowView[];
  photos: PhotoView[];
  closing: Closing;
  score: Record<Side, SideScore>;
  provisional: boolean;
  notes: string[];
  questions: Question[];
  /** What the partner of the player who closed had left: asked last, and only if nobody said it. */
  partner?: Question;
  /** Whether the server's hand has a closing that does not stand, though an answer waits here. */
  wasRefused?: boolean;
  ready: boolean;
  /** What "undo" would undo, by its edit's key and in words. */
  undo: { key: string; text: string } | null;
}

// --- what waits on this device ---

/** An edit with its key, or a photograph. */
interface Unsent {
  key: string;
  hand: string;
  /** When it was put into the outbox, in ms since 1970; no two are made at once. */
  made: number;
  operation?: Operation;
  photo?: { side: Side; place: Place; file: File; insteadOf?: string };
}

type Outbox = import("../../scorer_app/web/static/js/outbox.js").Outbox;

/** What a person does to a hand; the server knows each `op` and its fields. */
interface Operation {
  op: string;
  [field: string]: unknown;
}

// --- a watched table, as /api/live/ID/state answers ---

interface TableTile {
  id: number;
  tile: Face | null;
  corners: Corners;
  doubtful: boolean;
  alternatives: [Face, number][];
}

interface TableMeld {
  id: number;
  side: Side | null;
  details: TableTile[];
  legal: boolean | null;
  doubtful: boolean;
  overruled: boolean;
}

interface Table {
  width: number;
  height: number;
  melds: TableMeld[];
  loose_details: TableTile[];
  /** What is printed on a box's lid, row by row. */
  printed_details: TableTile[][];
}

interface TableEvent {
  number: number;
  /** Seconds since it happened. */
  ago: number;
  tiles: (Face | null)[];
  side: Side | null;
  legal: boolean;
  doubtful: boolean;
  alarming: boolean;
  /** Whether it left its meld illegal on the table. */
  lies: boolean;
  /** The ids of the melds that it put right. */
  mends: number[];
  thumbnail: boolean;
  message: string;
  event: string;
  meld_id: number;
  /** Which rule speaks against it and what mends it, where one does. */
  rule?: string;
  fix?: string | null;
}

interface CameraView {
  kind: "device" | "server";
  state: "opening" | "watching" | "stalled" | "failed" | "ended";
  name?: string;
  message?: string | null;
}

interface WatchState {
  /** null where nobody has watched yet; then only `camera` comes with it. */
  watch: string | null;
  version: number;
  /** The name of the latest frame, of which a camera may send a part of the next one. */
  frame: string;
  size: Size | null;
  /** null where the asker knows this version of it. */
  table: Table | null;
  line: [Point, Point] | null;
  /** Whether tiles of another set than the chosen one lie there. */
  other_set: boolean;
  out_of_sight: boolean;
  camera: CameraView | null;
  events: TableEvent[];
}

/** What a device that may give orders can do to a watched table. */
interface TableOrders {
  pick(tile: TableTile): void;
  overrule(meld: number, accepted: boolean): void;
}

// --- inside the page ---

/** What the picker needs of a hand or of a watched table. */
interface PickerScreen {
  readonly view: {
    tiles: Record<
      TileId,
      Pick<TileView, "face" | "corners" | "photo" | "likely"> & Partial<Pick<TileView, "read">>
    >;
    rows: RowView[];
    photos: Pick<PhotoView, "id" | "url" | "width" | "height">[];
  };
  edit(...operations: Operation[]): unknown;
}

/** What the parts of the scoring screen may ask of it. */
interface HandScreen {
  readonly view: HandView;
  edit(...operations: Operation[]): unknown;
  /** Undoes one edit, by its key. */
  takeBackTile(key: string): unknown;
  /** Tiles that a score line or a question is about. */
  readonly lit: string[];
  /** Counts how often a person has asked to see something in another way. */
  readonly looks: number;
  /** Draws what a person has asked to see in another way. */
  draw(): void;
  /** Whether a photograph of a side is still to be sent or read. */
  isToRead(side: Side): boolean;
  answer(question: Question): void;
  pick(tile: string): void;
  /** The closing's own inputs that would answer the question. */
  choices(question: Question): HTMLInputElement[];
  addAt(photo: PhotoView, corners: Corners): void;
  addTo(row: string): void;
  light(tiles: string[]): void;
  removePhoto(photo: string): void;
  countOnce(photo: string, original: string): void;
  retake(photo: PhotoView): void;
  /** Opens the camera of an area. */
  shoot(side: Side, place: Place): void;
  /** Opens the keys that tap tiles into an area. */
  tapIn(side: Side, place: Place): void;
  /** Gives a photograph to the area to which it belongs. */
  movePhoto(photo: string, area: { side: Side; place: Place }): unknown;
  readAgain(photo: string): void;
}

/** Photographs of one area on their way to the server. */
interface UploadArea {
  side: Side;
  place: Place;
  /** `insteadOf`: the photograph that each replaces, where it does. */
  photos: { file: File; key: string; insteadOf?: string; data?: Blob }[];
  /** The sentence that says how far they are. */
  words: string;
  /** A person is asked what to do with them. */
  stuck: boolean;
  /** No hand takes them any more. */
  lost: boolean;
  /** How many files were chosen since the area had nothing to send. */
  chosen: number;
  /** Of these, the ones that nobody can use, with the reasons. */
  refused: { name: string; message: string }[];
  running: Promise<void> | null;
}

type Child = Node | string | number | false | null | undefined;
type Attributes = Record<string, unknown>;

// --- what a photograph teaches of a set, as /api/sets/photos answers ---

interface TaughtFace {
  face: Face;
  /** Counted from 0; null for a comodín, and for a face that a person named. */
  row: number | null;
  /** A PNG file in base64. */
  picture: string;
  /** Tells the faces of several photographs apart; 0 by default. */
  photo?: number;
}

interface TaughtRow {
  colour: string;
  sure: boolean;
  /** Tells the rows of several photographs apart; 0 by default. */
  photo?: number;
  /** Whether a person said the colour. */
  named?: boolean;
  /** The colour that was seen, where a person has named one in the photograph. */
  seen?: string;
}

interface Taught {
  rows: TaughtRow[];
  faces: TaughtFace[];
}

// --- of browsers ---

/** What tells of the Escape key and of "back" on a phone, in browsers that have it. */
declare class CloseWatcher extends EventTarget {
  destroy(): void;
}
