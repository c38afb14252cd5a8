import type { Mapping, Pattern, PatternType } from "../../document/texture";
import type { ChartKind } from "../../kinds/uv-charts";

/** Uniforms of every pattern; a part's chart, then where the pattern lies, then what it is. */
const UNIFORMS = `
  uniform vec3 chartOrigin;
  uniform mat3 chartAxes;
  uniform float chartNumbers[ 8 ];
  uniform mat3 patternRows;
  uniform vec3 patternOffset;
  uniform vec3 patternFirst;
  uniform vec3 patternSecond;
  uniform vec4 patternNumbers;
  uniform sampler2D patternImage;
  uniform float patternMean;
  varying vec3 patternPlace;
  varying vec3 patternNormal;
`;

/** u and v of a point in the shape's own coordinates: as `tracer`'s `Chart::uv`. */
const UV_GLSL: Readonly<Record<ChartKind, string>> = {
  sphere: `vec3 outwards = normalize( at ); return vec2( turned( outwards ), asin( clamp( outwards.y, -1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5 );`,
  box: `vec3 size = vec3( chartNumbers[ 0 ], chartNumbers[ 1 ], chartNumbers[ 2 ] ); return unfolded( at, facing ) / unfoldedSize( size, facing ) + 0.5;`,
  flat: `return vec2( dot( at.xy, vec2( chartNumbers[ 0 ], chartNumbers[ 1 ] ) ), dot( at.xy, vec2( chartNumbers[ 2 ], chartNumbers[ 3 ] ) ) ) - chartNumbers[ 4 ];`,
  round: `
    float low = chartNumbers[ 0 ]; float high = chartNumbers[ 1 ];
    bool atEnd = abs( facing.y ) > 0.999 && min( at.y - low, low + high - at.y ) < 1e-3 * high;
    if ( atEnd ) return vec2( at.x, - at.z * sign( facing.y ) ) / ( 2.0 * chartNumbers[ 2 ] ) + 0.5;
    return vec2( turned( at ), ( at.y - low ) / high );`,
  mesh: `return patternUv;`,
  torus: `return vec2( turned( at ), atan( at.y, length( at.xz ) - chartNumbers[ 0 ] ) * 0.5 * RECIPROCAL_PI + 0.5 );`,
};

const MAPPING_GLSL: Readonly<Record<Mapping, string>> = {
  object: "at",
  world: "patternPlace",
  box: "vec3( unfolded( at, facing ), 0.0 )",
  uv: "vec3( surfaceUv( at, facing ), 0.0 )",
  round: "roundAxis( at )",
};

/** Distance from the axis or the middle, way along, and angle: as `tracer`'s `Chart::around`. */
const ROUND_GLSL: Readonly<Record<"flat" | "solid", string>> = {
  flat: `vec2 away = at.xy - vec2( chartNumbers[ 5 ], chartNumbers[ 6 ] ); return vec3( length( away ), at.z, atan( away.y, away.x ) * 0.5 * RECIPROCAL_PI + 0.5 );`,
  solid: "return vec3( length( at.xz ), at.y, turned( at ) );",
};

const GEOMETRY = `
  float turned( vec3 at ) { return atan( at.x, at.z ) * 0.5 * RECIPROCAL_PI + 0.5; }
  vec2 unfolded( vec3 at, vec3 facing ) {
    vec3 steep = abs( facing );
    if ( steep.y > max( steep.x, steep.z ) ) return vec2( at.x, - at.z * sign( facing.y ) );
    if ( steep.x > steep.z ) return vec2( - at.z * sign( facing.x ), at.y );
    return vec2( at.x * sign( facing.z ), at.y );
  }
  vec2 unfoldedSize( vec3 size, vec3 facing ) {
    vec3 steep = abs( facing );
    if ( steep.y > max( steep.x, steep.z ) ) return size.xz;
    return steep.x > steep.z ? size.zy : size.xy;
  }
`;

/** Random numbers at a lattice and what is made of them: as `tracer`'s `texture/noise.rs`. */
const NOISE = `
  uvec3 hashed( ivec3 at ) {
    uvec3 v = uvec3( at ) * 1664525u + 1013904223u;
    v.x += v.y * v.z; v.y += v.z * v.x; v.z += v.x * v.y;
    v ^= v >> 16u;
    v.x += v.y * v.z; v.y += v.z * v.x; v.z += v.x * v.y;
    return v;
  }
  vec3 units( uvec3 numbers ) { return vec3( numbers >> 8u ) / 16777216.0; }
  float cornered( ivec3 cell, vec3 within, ivec3 corner ) {
    vec3 found = units( hashed( cell + corner ) );
    #ifdef OF_VALUES
      return found.x * 2.0 - 1.0;
    #else
      return dot( found * 2.0 - 1.0, within - vec3( corner ) );
    #endif
  }
  float smoothNoise( vec3 point ) {
    vec3 start = floor( point );
    ivec3 cell = ivec3( start );
    vec3 within = point - start;
    vec3 soft = within * within * within * ( within * ( within * 6.0 - 15.0 ) + 10.0 );
    vec4 near = vec4(
      cornered( cell, within, ivec3( 0, 0, 0 ) ), cornered( cell, within, ivec3( 0, 1, 0 ) ),
      cornered( cell, within, ivec3( 0, 0, 1 ) ), cornered( cell, within, ivec3( 0, 1, 1 ) ) );
    vec4 far = vec4(
      cornered( cell, within, ivec3( 1, 0, 0 ) ), cornered( cell, within, ivec3( 1, 1, 0 ) ),
      cornered( cell, within, ivec3( 1, 0, 1 ) ), cornered( cell, within, ivec3( 1, 1, 1 ) ) );
    vec4 across = mix( near, far, soft.x );
    vec2 up = mix( across.xz, across.yw, soft.y );
    float found = mix( up.x, up.y, soft.z );
    #ifdef OF_VALUES
      return found;
    #else
      return 1.5 * found;
    #endif
  }
  float layered( vec3 point, int octaves ) {
    float sum = 0.0; float strength = 1.0; float total = 0.0;
    for ( int octave = 0; octave < min( octaves, MAX_OCTAVES ); octave ++ ) {
      float found = smoothNoise( point );
      #ifdef OF_FOLDS
        found = abs( found );
      #endif
      sum += found * strength;
      total += strength;
      strength *= 0.5;
      point = point * 2.03 + vec3( 17.3, -9.1, 4.7 );
    }
    return sum / total;
  }
  vec3 carried( vec3 point, int octaves ) {
    return vec3( layered( point, octaves ), layered( point + vec3( 31.4, 15.9, -26.5 ), octaves ),
      layered( point + vec3( -35.8, 97.9, 32.3 ), octaves ) );
  }
  vec3 wayTo( ivec3 cell, vec3 within, ivec3 to ) { return vec3( to ) + units( hashed( cell + to ) ) - within; }
  /** Distance to the nearest of scattered points, its number, and the distance to the border with the next. */
  vec3 scattered( vec3 point ) {
    vec3 start = floor( point );
    ivec3 cell = ivec3( start );
    vec3 within = point - start;
    float nearest = 1e9; ivec3 at = ivec3( 0 ); vec3 way = vec3( 0.0 );
    for ( int x = -1; x <= 1; x ++ ) for ( int y = -1; y <= 1; y ++ ) for ( int z = -1; z <= 1; z ++ ) {
      vec3 other = wayTo( cell, within, ivec3( x, y, z ) );
      float square = dot( other, other );
      if ( square < nearest ) { nearest = square; at = ivec3( x, y, z ); way = other; }
    }
    float border = 1e9;
    #ifdef WITH_BORDERS
      for ( int x = -1; x <= 1; x ++ ) for ( int y = -1; y <= 1; y ++ ) for ( int z = -1; z <= 1; z ++ ) {
        if ( ivec3( x, y, z ) == at ) continue;
        vec3 other = wayTo( cell, within, ivec3( x, y, z ) );
        border = min( border, 0.5 * dot( other + way, normalize( other - way ) ) );
      }
    #endif
    return vec3( sqrt( nearest ), units( hashed( cell + at + ivec3( 7919 ) ) ).z, border );
  }
`;

/** From 0 below `low` to 1 above `high`, also where both are the same. */
const STEP = `
  float eased( float low, float high, float x ) {
    float place = clamp( ( x - low ) / max( high - low, 1e-6 ), 0.0, 1.0 );
    return place * place * ( 3.0 - 2.0 * place );
  }
`;

const NOISES: Readonly<Record<string, string>> = {
  perlin: "0.5 + 0.7 * layered( at, int( patternNumbers.x ) )",
  value: "0.5 + 0.65 * layered( at, int( patternNumbers.x ) )",
  turbulence: "1.8 * layered( at, int( patternNumbers.x ) )",
  cells: "scattered( at ).y",
  voronoi: "scattered( at ).x",
  cracks: "1.0 - eased( 0.02, 0.09, scattered( at ).z )",
};

/** The share of the second colour at a point of the pattern: as `tracer`'s `texture/pattern.rs`. */
function shareOf({ type, kind }: Pattern): string {
  const bodies: Record<PatternType, string> = {
    checker:
      "ivec3 cell = ivec3( floor( at + 1.0 / 1024.0 ) ); return vec3( float( ( cell.x ^ cell.y ^ cell.z ) & 1 ) );",
    stripes: `
      float width = patternNumbers.x;
      float away = abs( fract( at.x + 1.0 / 1024.0 ) - 0.5 );
      float blur = 0.5 * patternNumbers.y * min( width, 1.0 - width );
      return vec3( blur == 0.0 ? ( away < 0.5 * width ? 1.0 : 0.0 ) : 1.0 - eased( 0.5 * width - blur, 0.5 * width + blur, away ) );`,
    gradient: "return vec3( at.y );",
    noise: `
      float share = ${NOISES[kind] ?? NOISES.perlin};
      float contrast = patternNumbers.y;
      float room = 0.5 * ( 1.0 - contrast );
      if ( contrast > 0.0 ) share += ( eased( 0.5 - room, 0.5 + room, share ) - share ) * sqrt( contrast );
      return vec3( share );`,
    brick: `
      vec2 size = vec2( 1.0, patternNumbers.w );
      float upwards = at.y / size.y + 1.0 / 1024.0;
      float row = floor( upwards );
      float along = at.x + row * patternNumbers.y + 1.0 / 1024.0;
      float column = floor( along );
      vec2 within = vec2( along - column, upwards - row ) * size;
      vec2 edge = min( within, size - within );
      float mortar = patternNumbers.x;
      float filled = 1.0 - eased( 0.3 * mortar, 0.7 * mortar, min( edge.x, edge.y ) );
      float own = patternNumbers.z * units( hashed( ivec3( column, row, 0 ) ) ).x;
      return vec3( own + ( 1.0 - own ) * filled );`,
    wood: `
      float ring = patternNumbers.x; float turbulence = patternNumbers.y;
      vec3 away = patternNumbers.w > 0.5 ? at.yzx : at - vec3( 0.0, -9.3 * ring, 2.6 * ring );
      vec3 drawn = away * vec3( 0.12, 1.0, 1.0 ) / ring;
      vec3 sway = carried( drawn * 0.13, 3 );
      float radius = length( away.yz / ring + 4.0 * turbulence * sway.yz ) + 0.35 * turbulence * smoothNoise( drawn * 0.9 );
      float year = radius - floor( radius );
      float late = eased( 0.25, 0.93, year ) * ( 1.0 - eased( 0.95, 1.0, year ) );
      float rings = late * ( 0.55 + 0.4 * units( hashed( ivec3( floor( radius ), 3, 5 ) ) ).x );
      float fibres = layered( away * vec3( 0.35, 9.0, 9.0 ) / ring, 3 );
      float pores = eased( 0.15, 0.6, fibres );
      return vec3( rings * 0.8 + 0.12 * ( sway.x + 0.5 ) + patternNumbers.z * ( 0.25 * fibres + 0.35 * pores ) );`,
    marble: `
      float veins = patternNumbers.y;
      vec3 place = at * 3.3;
      vec3 swirl = carried( place * 0.7, 5 ) * ( 2.2 * patternNumbers.x );
      float broad = 1.0 - eased( 0.0, max( 0.22 * veins, 1e-3 ), abs( layered( place * vec3( 0.75, 1.1, 0.6 ) + swirl, 4 ) ) );
      float fine = 1.0 - eased( 0.0, max( 0.07 * veins, 1e-3 ), abs( layered( place * 2.1 + swirl * 1.6 + 11.0, 4 ) ) );
      float clouds = 0.5 + 0.5 * layered( place * 0.5 + swirl * 0.5, 4 );
      float fading = eased( 0.25, 0.75, clouds );
      return vec3( broad * broad * ( 0.35 + 0.55 * fading ) + 0.4 * fine * fading + 0.14 * clouds * veins );`,
    image: `vec4 found = texture( patternImage, at.xy ); return ${CHANNELS[kind] ?? "found.rgb"};`,
  };
  return bodies[type];
}

const CHANNELS: Readonly<Record<string, string>> = {
  red: "found.rrr",
  green: "found.ggg",
  blue: "found.bbb",
  alpha: "found.aaa",
};

/** What of it differs between shaders: patterns of one key are drawn by one program. */
export function patternKey({ type, kind, mapping }: Pattern, surface: ChartKind): string {
  return `${type} ${kind} ${mapping} ${mapping === "uv" ? surface : mapping === "round" && surface === "flat"}`;
}

/** Whether the pattern needs the UV attribute of the vertices, as `patternUv`. */
export function usesVertexUv({ mapping }: Pattern, surface: ChartKind): boolean {
  return mapping === "uv" && surface === "mesh";
}

/**
 * A function `patternShare` of GLSL: how much of the second colour there is where a fragment lies. Noise has no more
 * layers than `octaves`.
 */
export function patternGlsl(pattern: Pattern, surface: ChartKind, octaves: number): string {
  const { type, kind, mapping } = pattern;
  const flags = [
    kind === "value" && "OF_VALUES",
    kind === "turbulence" && "OF_FOLDS",
    kind === "cracks" && "WITH_BORDERS",
  ].filter((flag) => flag !== false);
  return `
    #define MAX_OCTAVES ${octaves}
    ${flags.map((flag) => `#define ${flag}`).join("\n    ")}
    ${UNIFORMS}
    ${usesVertexUv(pattern, surface) ? "varying vec2 patternUv;" : ""}
    ${GEOMETRY}
    ${STEP}
    ${NOISE}
    vec2 surfaceUv( vec3 at, vec3 facing ) { ${mapping === "uv" ? UV_GLSL[surface] : "return vec2( 0.0 );"} }
    ${mapping === "round" ? `vec3 roundAxis( vec3 at ) { ${ROUND_GLSL[surface === "flat" ? "flat" : "solid"]} }` : ""}
    vec3 shareAt( vec3 at ) { ${shareOf(pattern)} }
    vec3 patternShare() {
      vec3 at = chartAxes * ( patternPlace - chartOrigin );
      vec3 facing = chartAxes * normalize( patternNormal );
      vec3 place = patternRows * ( ${MAPPING_GLSL[mapping]} - patternOffset );
      vec3 share = clamp( shareAt( place ), 0.0, 1.0 );
      ${
        type === "image" || type === "gradient"
          ? "return share;"
          : `// What is finer than a pixel is its mean.
      vec3 breadth = fwidth( place );
      return mix( share, vec3( patternMean ), smoothstep( 0.35, 1.0, ${BREADTH[type] ?? "max( breadth.x, max( breadth.y, breadth.z ) )"} ) );`
      }
    }`;
}

/** How many features of a pattern a pixel covers. */
const BREADTH: Readonly<Partial<Record<PatternType, string>>> = {
  stripes: "breadth.x",
  brick: "max( breadth.x, breadth.y / patternNumbers.w )",
  wood: "0.4 * max( breadth.y, breadth.z ) / patternNumbers.x",
  marble: "2.0 * max( breadth.x, max( breadth.y, breadth.z ) )",
};
