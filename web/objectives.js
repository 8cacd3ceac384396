// The objectives that games are solved for: the list of crates/game/src/objective.rs, which a test compares.
export const OBJECTIVES = [
  {
    "name": "win",
    "title": "winning",
    "summary": "the probability of reaching the target; with a discount G, the mean of G to the power of the number of moves until then",
    "meaning": "probability of winning under best play",
    "unit": "",
    "is_probability": true,
    "has_win": true,
    "larger_is_better": true,
    "needs_target": true,
    "takes_discount": true
  },
  {
    "name": "score",
    "title": "most points",
    "summary": "the mean score until the target is reached or the game is lost",
    "meaning": "points to come under best play",
    "unit": "points",
    "is_probability": false,
    "has_win": false,
    "larger_is_better": true,
    "needs_target": false,
    "takes_discount": false
  },
  {
    "name": "moves",
    "title": "fewest moves",
    "summary": "the probability of winning first, and then the mean number of moves to the win",
    "meaning": "moves to the win under best play",
    "unit": "moves",
    "is_probability": false,
    "has_win": true,
    "larger_is_better": false,
    "needs_target": true,
    "takes_discount": false
  },
  {
    "name": "survival",
    "title": "longest game",
    "summary": "the mean number of moves until the target is reached or the game is lost",
    "meaning": "moves to come under best play",
    "unit": "moves",
    "is_probability": false,
    "has_win": false,
    "larger_is_better": true,
    "needs_target": false,
    "takes_discount": false
  }
];
