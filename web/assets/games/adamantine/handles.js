/**
 * The faces of cards by handle, for sentences about events. Whatever comes into a hand, into play or into a room
 * gets the next handle, counted up in public; a room's own comes before those of its cards.
 */
export function handles() {
  let told = []; // { version, handle, card }, of which a face may be unknown
  let given = 0;

  function hear({ version, type, data }) {
    const next = (card) => told.push({ version, handle: (given += 1), card });
    const drawn = () => { for (let place = 0; place < data.drawn; place += 1) next(data.cards?.[place]); };
    const turnedUp = () => {
      const room = told.find((one) => one.handle === data.room && one.size);
      if (room?.size === data.cards?.length) data.cards.forEach((card, place) => told.push({ version, handle: data.room + 1 + place, card }));
    };
    const room = (size) => {
      next();
      told.at(-1).size = size;
      for (let place = 0; place < size; place += 1) next(data.cards?.[place]);
    };
    switch (type) {
      case "created": told = []; given = 0; break;
      case "rewound":
        told = told.filter((one) => one.version <= data.to_version);
        given = Math.max(0, ...told.map((one) => one.handle));
        break;
      case "champion_chosen": next(data.champion); break;
      case "class_chosen": next(data.hero_class); break;
      case "day_begun": case "night_begun": case "hero_cards_drawn": drawn(); break;
      case "card_played": next(data.card); break;
      case "champion_possessed": next(data.champion); break;
      case "room_built": room(data.size); break;
      case "encounter_laid": if (data.cards.length) room(data.cards.length); break;
      case "room_explored": case "room_seen": turnedUp(); break;
    }
  }

  return { hear, face: (handle) => told.findLast((one) => one.handle === handle && one.card)?.card };
}
